import { accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";

/**
 * Where tests make libraries that are written thousands of times: in memory where the system offers that (a kill of a
 * process, unlike a power cut, spares what was not yet synced), else in the usual place.
 */
export function memoryFolder(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}
