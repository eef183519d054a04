import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Starts a program of this folder that plays agents. It runs as a process of its own so that its processor time is not
 * counted as that of the service. It gets its plan as a file and answers every message with its figures so far.
 */
export async function startLoad<Plan, Figures>(program: string, folder: string, plan: Plan) {
  const file = join(folder, `${program}.json`)
  await writeFile(file, JSON.stringify(plan))
  const child = fork(join(import.meta.dirname, program), [file])
  const exited = once(child, 'exit')
  const nextMessage = () =>
    Promise.race([
      once(child, 'message'),
      exited.then(() => {
        throw new Error(`${program} has ended.`)
      }),
    ])
  await nextMessage()

  return {
    /** The figures since the last call. */
    async takeFigures(): Promise<Figures> {
      const answered = nextMessage()
      child.send('take')
      const [figures] = await answered
      return figures as Figures
    },
    async stop(): Promise<void> {
      child.kill()
      await exited
    },
  }
}

/** The other side: answers the messages of the benchmark. */
export function answerWith(takeFigures: () => object): void {
  process.on('message', () => process.send?.(takeFigures()))
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}
