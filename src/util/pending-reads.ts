/** Open reads. One may wait for the writer of a pipe, and a process waits for it before it ends. */
let pending = 0;

/** The same promise, counted until it is settled. */
export async function trackRead<T>(read: Promise<T>): Promise<T> {
  pending++;
  try {
    return await read;
  } finally {
    pending--;
  }
}

export function hasPendingRead(): boolean {
  return pending > 0;
}
