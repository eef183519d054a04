import { Worker } from 'node:worker_threads'

export type ThreadLimits = {
  maxMs: number
  /** Of the heap. What a program allocates besides, such as buffers, it must limit itself. */
  maxHeapMb: number
}

/** Why a thread was stopped, or that it ended by itself without an answer. */
export class ThreadStopped extends Error {
  override name = 'ThreadStopped'
  readonly reason: 'time' | 'memory' | 'error'

  constructor(reason: ThreadStopped['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Runs a program once, in a thread of its own, and returns the first message that it sends. Whatever the program does, it ends
 * within the limits, and the process goes on. Throws ThreadStopped if it sends no message.
 */
export async function runBoundedThread<T>(file: string, task: unknown, limits: ThreadLimits): Promise<T> {
  const worker = new Worker(file, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // What reads hostile input needs no secrets.
    env: {},
  })
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(
    () => reject(new ThreadStopped('time', `The thread took more than ${limits.maxMs} ms.`)),
    limits.maxMs,
  )
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(new ThreadStopped(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error', error.message)),
  )
  worker.once('exit', () => reject(new ThreadStopped('error', 'The thread ended without an answer.')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
