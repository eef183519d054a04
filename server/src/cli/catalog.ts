import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parse, stringify } from 'yaml'

const help = `Usage: npm run catalog -- plan FILE [--remove-missing]
       npm run catalog -- apply FILE [--remove-missing]
       npm run catalog -- export [FILE]

  plan     show what applying the catalog document in FILE would change
  apply    apply the catalog document in FILE
  export   write the current catalog to FILE, or to the standard output

FILE is YAML or JSON. export writes JSON if the name of FILE ends in .json, and YAML otherwise.

  --remove-missing   also remove entries that the sections of the document do not list

The command calls the service at MUSTER_URL (default: http://127.0.0.1:5057) as the principal with MUSTER_CLIENT_ID and
MUSTER_CLIENT_SECRET. The principal needs the role package.read, and package.write to apply.`

class CommandError extends Error {}

type Plan = { added: number; changed: number; removed: number; changes: PlannedChange[] }
type PlannedChange = { section: string; name: string; action: string; fields: string[]; blockers: string[] }

const serviceUrl = process.env.MUSTER_URL ?? 'http://127.0.0.1:5057'

async function callService(path: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(new URL(path, serviceUrl), request).catch((error: Error) => {
    throw new CommandError(
      `Cannot reach ${serviceUrl}: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    )
  })
  const answer = (await response.json()) as { detail?: string; error_description?: string; blockers?: PlannedChange[] }
  if (response.ok) return answer
  const blockers = (answer.blockers ?? []).map((change) => `\n  ${change.name}: ${change.blockers.join(', ')}`)
  throw new CommandError(`${answer.detail ?? answer.error_description ?? response.status}${blockers.join('')}`)
}

async function requestToken(): Promise<string> {
  const { MUSTER_CLIENT_ID: id, MUSTER_CLIENT_SECRET: secret } = process.env
  if (!id || !secret) throw new CommandError('Set MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET.')
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const answer = await callService('/api/auth/token', { method: 'POST', body: new URLSearchParams(form) })
  return (answer as { access_token: string }).access_token
}

async function sendCatalog(action: 'plan' | 'apply', file: string, removeMissing: boolean): Promise<void> {
  const catalog: unknown = parse(await readFile(file, 'utf8'))
  const plan = (await callService(`/api/catalog/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await requestToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ catalog, removeMissing }),
  })) as Plan
  for (const change of plan.changes) console.log(formatChange(change))
  const title = action === 'apply' ? 'Applied' : 'Planned'
  console.log(`${title}: ${plan.added} added, ${plan.changed} changed, ${plan.removed} removed.`)
}

function formatChange({ section, name, action, fields, blockers }: PlannedChange): string {
  const changedFields = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const blockedBy = blockers.length > 0 ? ` — blocked by: ${blockers.join(', ')}` : ''
  return `${action.padEnd(6)} ${section} ${name}${changedFields}${blockedBy}`
}

async function exportTo(file: string | undefined): Promise<void> {
  const catalog = await callService('/api/catalog', { headers: { authorization: `Bearer ${await requestToken()}` } })
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
  return sendCatalog(action, file, values['remove-missing'] ?? false)
}

try {
  await run()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
