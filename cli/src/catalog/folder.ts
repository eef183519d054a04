import type { Call } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { parseCount } from '../numbers.ts'
import { cleanText } from '../output/clean-text.ts'
import { formatCount } from '../output/counts.ts'
import { progressOn } from '../output/progress.ts'
import {
  applyStateFolder,
  CatalogCommandError,
  callsThrough,
  exportStateFolder,
  planStateFolder,
  requireUnblocked,
  type StateOptions,
  type StatePlanAnswer,
} from './desired-state.ts'

export async function planFolder(call: Call, folder: string): Promise<void> {
  const plan = await runOnFolder(call, (options) => planStateFolder(callsThrough(call.client), { ...options, folder }))
  try {
    requireUnblocked(plan)
  } catch (error) {
    toFailure(error)
  }
}

export async function applyFolder(call: Call, folder: string): Promise<void> {
  await runOnFolder(call, async (options) => applyStateFolder(callsThrough(call.client), { ...options, folder }))
}

export async function exportFolder({ client, output }: Call, folder: string): Promise<void> {
  const files = await exportStateFolder(callsThrough(client), folder).catch(toFailure)
  output.result({ folder, files }, `Exported ${formatCount(files.length, 'file')} to ${folder}.`)
}

/** Shows lines and progress on the terminal. JSON is the plan, as the API returned it. */
async function runOnFolder(
  { options, output, terminal }: Call,
  run: (options: Omit<StateOptions, 'folder'>) => Promise<StatePlanAnswer>,
): Promise<StatePlanAnswer> {
  const progress = progressOn(terminal)
  const print = (line: string) => {
    progress.end()
    if (output.format !== 'json') terminal.write(`${cleanText(line)}\n`)
  }
  const plan = await run({
    prune: options.prune === true,
    planFile: options.plan as string | undefined,
    isConfirmed: options.yes === true,
    expectedRemovals:
      options.expectRemovals === undefined ? undefined : parseCount(options.expectRemovals, '--expect-removals'),
    ask: terminal.ask,
    environment: terminal.environment,
    print,
    showProgress: (done, total) => progress.show({ done, total, text: 'changes made' }),
  })
    .catch(toFailure)
    .finally(() => progress.end())
  if (output.format === 'json') output.result(plan, '')
  return plan
}

function toFailure(error: unknown): never {
  throw error instanceof CatalogCommandError ? new CommandFailure(error.message) : error
}
