import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes the names in a folder durable: files that were created, renamed and removed. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows opens no folders, and keeps names by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Gives a complete file its name. After a power cut there is either all of it or the file that had the name before. */
export async function publishFile(temporary: string, path: string): Promise<void> {
  const file = await open(temporary, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}
