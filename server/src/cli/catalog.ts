import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parse, stringify } from 'yaml'

const help = `Usage: npm run catalog -- plan FILE [--remove-missing]
       npm run catalog -- apply FILE [--remove-missing]
       npm run catalog -- export [FILE]

Shows what applying the catalog document in FILE would do, applies it, or writes the catalog as it is.
FILE is YAML or JSON; export writes JSON when the name ends in .json, and YAML otherwise.

  --remove-missing   also remove what the sections of the document do not list

The service is called at MUSTER_URL (http://127.0.0.1:5057 unless set) as the principal of MUSTER_CLIENT_ID and
MUSTER_CLIENT_SECRET, which needs package.read, and package.write to apply.`

class CommandError extends Error {}

type Plan = { added: number; changed: number; removed: number; changes: PlannedChange[] }
type PlannedChange = { section: string; name: string; action: string; fields: string[]; blockers: string[] }

const base = process.env.MUSTER_URL ?? 'http://127.0.0.1:5057'

async function answerOf(path: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(new URL(path, base), request).catch((error: Error) => {
    throw new CommandError(`${base} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`)
  })
  const answer = (await response.json()) as { detail?: string; error_description?: string; blockers?: PlannedChange[] }
  if (response.ok) return answer
  const blockers = (answer.blockers ?? []).map((change) => `\n  ${change.name}: ${change.blockers.join(', ')}`)
  throw new CommandError(`${answer.detail ?? answer.error_description ?? response.status}${blockers.join('')}`)
}

async function accessToken(): Promise<string> {
  const { MUSTER_CLIENT_ID: id, MUSTER_CLIENT_SECRET: secret } = process.env
  if (!id || !secret) throw new CommandError('Set MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET.')
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const answer = await answerOf('/api/auth/token', { method: 'POST', body: new URLSearchParams(form) })
  return (answer as { access_token: string }).access_token
}

async function send(action: 'plan' | 'apply', file: string, removeMissing: boolean): Promise<void> {
  const catalog: unknown = parse(await readFile(file, 'utf8'))
  const plan = (await answerOf(`/api/catalog/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ catalog, removeMissing }),
  })) as Plan
  for (const change of plan.changes) console.log(line(change))
  const done = action === 'apply' ? 'Done' : 'Would be done'
  console.log(`${done}: ${plan.added} added, ${plan.changed} changed, ${plan.removed} removed.`)
}

function line({ section, name, action, fields, blockers }: PlannedChange): string {
  const what = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const why = blockers.length > 0 ? ` — in the way: ${blockers.join(', ')}` : ''
  return `${action.padEnd(6)} ${section} ${name}${what}${why}`
}

async function exportTo(file: string | undefined): Promise<void> {
  const catalog = await answerOf('/api/catalog', { headers: { authorization: `Bearer ${await accessToken()}` } })
  const text = file?.endsWith('.json') ? `${JSON.stringify(catalog, null, 2)}\n` : stringify(catalog)
  if (file) await writeFile(file, text)
  else process.stdout.write(text)
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { 'remove-missing': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const [action, file, ...rest] = positionals
  if (values.help) return console.log(help)
  if (action === 'export' && rest.length === 0) return exportTo(file)
  if ((action !== 'plan' && action !== 'apply') || !file || rest.length > 0) throw new CommandError(help)
  return send(action, file, values['remove-missing'] ?? false)
}

try {
  await run()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
