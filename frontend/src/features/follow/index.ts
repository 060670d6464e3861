export { BackToPassage } from "./BackToPassage";
export { keepInSight, scrollDown, scrollNeeded, startShare } from "./scroll";
export { useFollow, type Follow } from "./useFollow";
