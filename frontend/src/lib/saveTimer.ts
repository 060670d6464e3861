const pause = 800; // milliseconds without a change
const retryDelay = 5_000;

/** Says when changes are to be saved: after a pause without another one, and again after a failure that may pass. */
export class SaveTimer {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly save: () => unknown) {}

  afterPause(): void {
    this.start(pause);
  }

  afterFailure(): void {
    this.start(retryDelay);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(delay: number): void {
    this.stop();
    this.timer = setTimeout(() => void this.save(), delay);
  }
}
