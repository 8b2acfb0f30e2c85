const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Bytes for people: `340 bytes`, `1.2 MB`. @param {number} bytes */
export function formatBytes(bytes) {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
