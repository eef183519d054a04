import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import {
  applyStateFolder,
  type CallService,
  CatalogCommandError,
  connectToService,
  exportStateFolder,
  findInsecureWarning,
  isStateFolder,
  planStateFolder,
  requireUnblocked,
} from '@muster/desired-state'
import { visibleLine, visibleText } from '@muster/text'
import { parse, stringify } from 'yaml'

const help = `Usage: npm run catalog -- plan FOLDER [--prune] [--plan PLAN]
       npm run catalog -- apply FOLDER [--prune] [--plan PLAN] [--yes | --expect-removals N]
       npm run catalog -- export FOLDER
       npm run catalog -- plan FILE [--remove-missing]
       npm run catalog -- apply FILE [--remove-missing]
       npm run catalog -- export [FILE]

  plan     show what applying the files in FOLDER, or the catalog document in FILE, would change
  apply    apply them
  export   write the desired state to FOLDER, or the catalog to FILE or to the standard output

A FOLDER has the whole desired state: definitions, groups with what is assigned to them, patch management groups,
webhooks and roles. A FILE, whose name ends in .yaml, .yml or .json, has the definitions alone.

  --prune                also remove objects that the sections in FOLDER do not list; asks how many
  --expect-removals N    the answer to that question, for scripts
  --yes                  remove any number of objects without asking
  --plan PLAN            plan writes its plan to the file PLAN; apply makes exactly that plan
  --secret-folder DIR    a further folder of files that secrets may name; by default, those below FOLDER; may be repeated
  --insecure             allow plain http to another host, which exposes the secret to the network
  --remove-missing       also remove entries that the sections of the document in FILE do not list

The command calls the service at MUSTER_URL as the principal with MUSTER_CLIENT_ID and
MUSTER_CLIENT_SECRET. The principal needs the roles that read the sections and, to apply, those that change them. A FILE
needs the role package.read, and package.write to apply.`

type CatalogPlan = { added: number; changed: number; removed: number; changes: PlannedChange[] }
type PlannedChange = { section: string; name: string; action: string; fields: string[]; blockers: string[] }

async function sendCatalog(
  call: CallService,
  action: 'plan' | 'apply',
  file: string,
  removeMissing: boolean,
): Promise<void> {
  const catalog: unknown = parse(await readFile(file, 'utf8'))
  const plan = await call<CatalogPlan>('POST', `/api/catalog/${action}`, { catalog, removeMissing })
  for (const change of plan.changes) print(formatChange(change))
  const title = action === 'apply' ? 'Applied' : 'Planned'
  print(`${title}: ${plan.added} added, ${plan.changed} changed, ${plan.removed} removed.`)
}

function formatChange({ section, name, action, fields, blockers }: PlannedChange): string {
  const changedFields = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const blockedBy = blockers.length > 0 ? ` — blocked by: ${blockers.join(', ')}` : ''
  return `${action.padEnd(6)} ${section} ${name}${changedFields}${blockedBy}`
}

async function exportTo(call: CallService, file: string | undefined): Promise<void> {
  const catalog = await call('GET', '/api/catalog')
  const text = file?.endsWith('.json') ? `${JSON.stringify(catalog, null, 2)}\n` : stringify(catalog)
  if (file) await writeFile(file, text)
  else process.stdout.write(process.stdout.isTTY ? visibleText(text) : text)
}

/** Names come from computers and from the service: a terminal shows their characters, and does not obey them. */
const print = (line: string) => console.log(visibleLine(line))

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(visibleLine(question))
  } finally {
    terminal.close()
  }
}

function showProgress(made: number, total: number): void {
  if (made < total) print(`${made} changes made, ${total - made} left`)
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      'remove-missing': { type: 'boolean' },
      prune: { type: 'boolean' },
      plan: { type: 'string' },
      'expect-removals': { type: 'string' },
      yes: { type: 'boolean' },
      insecure: { type: 'boolean' },
      'secret-folder': { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  })
  const [action, name, ...rest] = positionals
  if (values.help) return console.log(help)
  const isKnown = action === 'export' || ((action === 'plan' || action === 'apply') && name !== undefined)
  if (!isKnown || rest.length > 0) throw new CatalogCommandError(help.split('\n'))
  const call = connectToService(process.env, values.insecure ?? false)
  const warning = findInsecureWarning(process.env.MUSTER_URL)
  if (warning !== undefined) console.error(visibleLine(warning))
  if (name === undefined || !(await isStateFolder(name)))
    return action === 'export'
      ? exportTo(call, name)
      : sendCatalog(call, action, name ?? '', values['remove-missing'] ?? false)
  if (action === 'export') return print(`Exported ${(await exportStateFolder(call, name)).length} files to ${name}.`)
  const { plan: planFile, prune = false, yes: isConfirmed = false, 'expect-removals': removals } = values
  const plan = await (action === 'plan' ? planStateFolder : applyStateFolder)(call, {
    folder: name,
    prune,
    planFile,
    isConfirmed,
    expectedRemovals: removals === undefined ? undefined : Number(removals),
    ask: process.stdin.isTTY ? ask : undefined,
    environment: process.env,
    secretFolders: values['secret-folder'],
    print,
    showProgress,
  })
  if (action === 'plan') requireUnblocked(plan)
}

try {
  await run()
} catch (error) {
  console.error(visibleText((error as Error).message))
  process.exitCode = 1
}
