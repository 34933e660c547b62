/** Arguments: folder, length of a note. Reads the page that is there, then saves one; tells how it went as JSON. */
import { createFileStorage } from "../../../src/adapters/storage/fileStorage.ts";
import { BacopaError } from "../../../src/core/errors.ts";
import { savedPage } from "../../fakes/savedPages.ts";

const [folder = "", noteLength = "0"] = process.argv.slice(2);
const id = "retries-0a1b2c3d4e";
const storage = createFileStorage(folder);
let read: string | undefined;
try {
  read = (await storage.readPage(id))?.page.title;
  await storage.writePage(savedPage(id, { title: "Saved", note: "x".repeat(Number(noteLength)) }));
  process.stdout.write(JSON.stringify({ read, saved: true }));
} catch (error) {
  if (!(error instanceof BacopaError)) throw error;
  process.stdout.write(JSON.stringify({ read, saved: false, reason: error.reason, message: error.userMessage }));
}
