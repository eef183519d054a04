import {
  applyStateFolder,
  CatalogCommandError,
  callsThrough,
  exportStateFolder,
  planStateFolder,
  requireUnblocked,
  type StateOptions,
  type StatePlanAnswer,
} from '@muster/desired-state'
import { visibleLine } from '@muster/text'
import { readAnswer } from '../api/check-answer.ts'
import type { Call } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { parseCount } from '../numbers.ts'
import { formatCount } from '../output/counts.ts'
import { progressOn } from '../output/progress.ts'

/** Shows the plan, and returns whether it has changes. */
export async function planFolder(call: Call, folder: string): Promise<boolean> {
  const plan = await runOnFolder(call, (options) => planStateFolder(callsOf(call), { ...options, folder }))
  try {
    requireUnblocked(plan)
  } catch (error) {
    toFailure(error)
  }
  return plan.changes.length > 0
}

export async function applyFolder(call: Call, folder: string): Promise<void> {
  await runOnFolder(call, async (options) => applyStateFolder(callsOf(call), { ...options, folder }))
}

export async function exportFolder(call: Call, folder: string): Promise<void> {
  const files = await exportStateFolder(callsOf(call), folder).catch(toFailure)
  call.output.result({ folder, files }, `Exported ${formatCount(files.length, 'file')} to ${folder}.`)
}

/** Calls of the service whose answers are checked, as those of all commands are. */
const callsOf = ({ client }: Call) =>
  callsThrough({
    address: client.address,
    async send(request) {
      const response = await client.send(request)
      const answer = await readAnswer(`${request.method} ${new URL(request.url).pathname}`, response)
      return Response.json(answer)
    },
  })

/** Shows lines and progress on the terminal. JSON is the plan, as the API returned it. */
async function runOnFolder(
  { options, output, terminal }: Call,
  run: (options: Omit<StateOptions, 'folder'>) => Promise<StatePlanAnswer>,
): Promise<StatePlanAnswer> {
  const progress = progressOn(terminal)
  const print = (line: string) => {
    progress.end()
    if (output.format !== 'json') terminal.write(`${visibleLine(line)}\n`)
  }
  const plan = await run({
    prune: options.prune === true,
    planFile: options.plan as string | undefined,
    isConfirmed: options.yes === true,
    expectedRemovals:
      options.expectRemovals === undefined ? undefined : parseCount(options.expectRemovals, '--expect-removals'),
    ask: terminal.ask,
    environment: terminal.environment,
    secretFolders: options.secretFolder as string[] | undefined,
    print,
    showProgress: (done, total) => progress.show({ done, total, text: 'changes made' }),
  })
    .catch(toFailure)
    .finally(() => progress.end())
  if (output.format === 'json') output.result(plan, '')
  return plan
}

function toFailure(error: unknown): never {
  throw error instanceof CatalogCommandError ? new CommandFailure(error.message.split('\n')) : error
}
