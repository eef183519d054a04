import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { machineChannels } from '../../../src/channels/index.ts'
import { sections } from '../../../src/features/index.ts'
import { apiChannel } from '../../../src/platform/openapi/channel.ts'
import { openApiDocument } from '../../../src/platform/openapi/document.ts'

const linter = join(import.meta.dirname, '../../../../node_modules/@redocly/cli/bin/cli.js')
// The contract has literal segments beside parameters, such as /api/packages/import/{trackingId}; the literals win.
const skippedRules = ['--skip-rule=no-ambiguous-paths']

test('no OpenAPI document has lint errors or warnings', async () => {
  const documents = [apiChannel(sections), ...machineChannels].map(openApiDocument)
  const folder = await mkdtemp(join(tmpdir(), 'muster-openapi-'))
  const files = documents.map((_, at) => join(folder, `${at}.json`))
  for (const [at, document] of documents.entries()) await writeFile(files[at] ?? '', JSON.stringify(document))

  const { stdout } = await promisify(execFile)(
    process.execPath,
    [linter, 'lint', '--format=json', '--extends=recommended', ...skippedRules, ...files],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' } },
  ).catch((failed: { stdout: string }) => failed)
  await rm(folder, { recursive: true })

  // One object for each document. The closing brace of an object begins a line.
  const results = stdout.split(/(?<=^\})/m).flatMap((text) => (text.trim() === '' ? [] : [JSON.parse(text)]))
  expect(results.flatMap(({ problems }) => problems)).toEqual([])
  expect(results.map(({ totals }) => totals)).toEqual(
    documents.map(() => expect.objectContaining({ errors: 0, warnings: 0 })),
  )
}, 60_000)
