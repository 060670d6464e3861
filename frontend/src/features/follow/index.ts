export { BackToPassage } from "./BackToPassage";
export { keepInSight, scrollDown, scrollNeeded } from "./scroll";
export { useFollow, type Follow } from "./useFollow";
