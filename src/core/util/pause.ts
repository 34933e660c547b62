/** Lets the host's loop have a turn. Long work calls it between slices, each of a few milliseconds. */
export type Pause = () => Promise<void>;

export const noPause: Pause = () => Promise.resolve();
