import { lazy, type ComponentType } from "react";

export interface LazyScreen {
  /** Renders the screen; its code loads at the first rendering. */
  Screen: ComponentType;
  /** After a failed load: the next rendering loads again. */
  retry(): void;
}

/** Like React.lazy, but a failed load can be repeated: React remembers a rejected import forever. */
export function lazyScreen(load: () => Promise<{ default: ComponentType }>): LazyScreen {
  let hasFailed = false;
  const create = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        hasFailed = true;
        throw error;
      }),
    );
  let Loaded = create();
  return {
    Screen: () => <Loaded />,
    retry() {
      if (hasFailed) Loaded = create();
      hasFailed = false;
    },
  };
}
