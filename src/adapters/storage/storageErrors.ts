import { BacopaError } from "../../core/errors.ts";
import { codeOf } from "./fileSystem.ts";

/** What a person is told when the disk says no: one sentence on what happened, one on what to do. */
export function storageError(error: unknown, folder: string): BacopaError {
  if (error instanceof BacopaError) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return new BacopaError("storage-full", {
        message,
        userMessage: `The disk that holds the library ${folder} is full; what was saved before is untouched. Free some space and save again.`,
        hint: "Do not retry until the person has freed disk space. Saved pages can still be searched.",
        cause: error,
      });
    case "EFBIG":
      return failed(
        `A file grew larger than this system allows for the library ${folder}; what was saved before is untouched. Raise the limit, or save a smaller page.`,
      );
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return new BacopaError("storage-read-only", {
        message,
        userMessage: `Bacopa may not ${reads(error) ? "read" : "write to"} the library ${folder}. Give yourself the right to read and write there, or choose another folder for the library.`,
        hint: "Saved pages can still be searched; saving needs a writable library folder.",
        cause: error,
      });
    case "ENOTDIR":
    case "EEXIST":
      return failed(
        `${pathOf(error) ?? `The library ${folder}`} cannot be a folder because a file is in the way. Move that file, or choose another folder for the library.`,
      );
    case "ENAMETOOLONG":
      return failed(
        `The path of the library ${folder} is too long for this system. Choose a folder with a shorter path.`,
      );
    case "EBUSY":
      return failed(`Another program holds a file of the library ${folder} open. Close it and try again.`, true);
    case "EMFILE":
    case "ENFILE":
      return failed(
        `Too many files are open on this system to read the library ${folder}. Close some programs and try again.`,
        true,
      );
    default:
      return failed(
        `The library ${folder} could not be read or written (${code ?? message}). Check the disk and try again.`,
      );
  }

  function failed(userMessage: string, retryable = false): BacopaError {
    return new BacopaError("storage-failed", { message, userMessage, retryable, cause: error });
  }
}

function pathOf(error: unknown): string | undefined {
  return error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : undefined;
}

function reads(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && (error.syscall === "scandir" || error.syscall === "read");
}

export function newerFormat(what: string, version: number): BacopaError {
  return new BacopaError("storage-newer", {
    message: `${what} has format version ${version}`,
    userMessage: `${what} was written by a newer version of Bacopa. Update Bacopa to open it.`,
    hint: "Nothing can be read or saved until Bacopa is updated.",
  });
}
