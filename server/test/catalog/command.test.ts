import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  applyStateFolder,
  connectToService,
  documentSections,
  exportStateFolder,
  planStateFolder,
  readStateFolder,
  type StateOptions,
} from '@muster/desired-state'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { DesiredState } from '../../src/features/catalog/api/desired-state/document-schemas.ts'
import { roleNames } from '../../src/platform/roles.ts'
import { openWorld } from '../world/open-world.ts'
import { bundledProgram } from '../world/programs.ts'

const { app, as, given } = await openWorld()
const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
const { clientId, secret } = await given.localPrincipal({ roles: ['package.read', 'package.write'] })
const folder = await mkdtemp(join(tmpdir(), 'muster-catalog-'))
afterAll(() => rm(folder, { recursive: true }))

const command = bundledProgram('cli/catalog')
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [command, ...args], {
    env: { ...process.env, MUSTER_URL: address, MUSTER_CLIENT_ID: clientId, MUSTER_CLIENT_SECRET: secret },
  }).catch((failed: { code: number; stdout: string; stderr: string }) => failed)

test('the catalog command plans, applies and exports a YAML document', async () => {
  const file = join(folder, 'catalog.yaml')
  await writeFile(
    file,
    'variableDefinitions:\n  - name: Printing\n    kind: Category\n    children:\n      - name: Server\n',
  )

  const planned = await run('plan', file)
  const applied = await run('apply', file)
  await run('export', join(folder, 'out.json'))
  const again = await run('apply', join(folder, 'out.json'), '--remove-missing')

  expect(planned.stdout).toContain('add    variableDefinitions Printing.Server')
  expect(planned.stdout).toContain('Planned: 2 added')
  expect(applied.stdout).toContain('Applied: 2 added, 0 changed, 0 removed.')
  expect(JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'))).toHaveProperty('variableConfigurations', [])
  expect(again.stdout).toContain('Applied: 0 added, 0 changed, 0 removed.')
})

test('the catalog command explains a mistake in the document in one sentence and exits with code 1', async () => {
  const file = join(folder, 'wrong.yaml')
  await writeFile(file, 'variables: []\n')

  const failed = await run('apply', file)

  expect(failed).toMatchObject({ code: 1, stderr: "body 'catalog.variables' is an unknown property\n" })
})

test('the catalog command shows names with deceptive characters as escapes', async () => {
  const file = join(folder, 'deceptive.json')
  await writeFile(file, JSON.stringify({ 'gnp\u202e\u001b[2J': [] }))

  const { stderr } = (await run('plan', file)) as { stderr: string }

  expect(stderr).toBe("body 'catalog.gnp\\u202e\\u001b[2J' is an unknown property\n")
})

test('the catalog command shows its usage with --help', async () => {
  expect((await run('--help')).stdout).toContain('npm run catalog -- plan FOLDER')
})

describe('with a folder', async () => {
  const administrator = await given.localPrincipal({ roles: roleNames })
  const call = connectToService({
    MUSTER_URL: address,
    MUSTER_CLIENT_ID: administrator.clientId,
    MUSTER_CLIENT_SECRET: administrator.secret,
  })
  const stateFolder = join(folder, 'state')
  const berlin = join(stateFolder, 'groups/Configuration/Berlin.yaml')
  const planFile = join(folder, 'plan.json')
  const other = join(folder, 'other')

  /** Runs a command and returns what it prints. */
  async function printed(command: typeof planStateFolder, options: Partial<StateOptions> = {}): Promise<string> {
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    const always = { folder: stateFolder, prune: false, environment: process.env, print, showProgress: () => {} }
    await command(call, { ...always, ...options })
    return lines.join('\n')
  }

  test('an export writes a file for each section and each subtree, and applying it changes nothing', async () => {
    const tree = await given.group({ name: 'Berlin' })
    await given.group({ parent: tree, name: 'Finance' })

    await exportStateFolder(call, stateFolder)

    const files = await readdir(stateFolder, { recursive: true })
    expect(files).toEqual(
      expect.arrayContaining(['webhooks.yaml', 'variable-definitions.yaml', 'groups/Assignment.yaml']),
    )
    expect(await readFile(berlin, 'utf8')).toBe(
      'groups:\n  - path: Configuration/Berlin\n  - path: Configuration/Berlin/Finance\n',
    )
    expect(await printed(planStateFolder, { prune: true })).toBe('Planned: 0 added, 0 changed, 0 removed.')
  })

  test('a saved plan is applied as it is, with secrets from files, and not if the files have changed since', async () => {
    await writeFile(join(stateFolder, 'password'), 'open sesame\n')
    const variables = [{ variable: 'Token', secret: 'file:password' }]
    await writeFile(join(stateFolder, 'token.yaml'), 'variableDefinitions:\n  - name: Token\n    secret: true\n')
    await writeFile(berlin, stringify({ groups: [{ path: 'Configuration/Berlin', variables }] }))
    const plan = await printed(planStateFolder, { planFile })
    await writeFile(join(stateFolder, 'more.yaml'), 'tags:\n  - name: More\n')

    await expect(printed(applyStateFolder, { planFile })).rejects.toThrow(/add tags More/)
    await rm(join(stateFolder, 'more.yaml'))
    const applied = await printed(applyStateFolder, { planFile })

    expect(plan.split('\n')).toEqual([
      'add    variableDefinitions Token',
      '         kind: — → Scalar',
      '         secret: — → true',
      'add    groupVariables Configuration/Berlin ← Token',
      '         isSecret: — → true',
      'Planned: 2 added, 0 changed, 0 removed.',
      'Rehearsed: 2 changes would succeed.',
    ])
    expect(applied).toBe('Applied: 2 changes.')
  })

  test('removals need their number, which a terminal asks for', async () => {
    const removal = { prune: true }

    await expect(printed(applyStateFolder, removal)).rejects.toThrow('repeat with --expect-removals 1')
    await expect(printed(applyStateFolder, { ...removal, expectedRemovals: 2 })).rejects.toThrow(
      '1 object would be removed',
    )
    const applied = await printed(applyStateFolder, { ...removal, expectedRemovals: 1 })

    expect(applied).toContain('remove groups Configuration/Berlin/Finance')
    expect(applied).toContain('Applied: 1 change.')
  })

  test('an export leaves files that are not part of a state where they are, and a state that is reached is named', async () => {
    const note = join(other, 'groups/README.md')
    await mkdir(join(other, 'groups'), { recursive: true })
    await writeFile(note, 'Ours')
    await writeFile(join(other, 'groups/Old.yaml'), 'groups:\n  - path: Configuration/Old\n')

    await exportStateFolder(call, other)

    expect(await readFile(note, 'utf8')).toBe('Ours')
    expect(await readdir(join(other, 'groups'))).not.toContain('Old.yaml')
    expect(await printed(applyStateFolder, { folder: other })).toContain(
      '\nNothing to apply: the service is in this state.',
    )
  })

  test('a file that is not a plan is refused, and nobody is asked about a plan that is blocked', async () => {
    await writeFile(planFile, '{}')
    await expect(printed(applyStateFolder, { planFile })).rejects.toThrow('plan.json is not a plan. Write one with')
    await exportStateFolder(call, other)

    await given.member(await given.group({}), await given.computer({}))
    const ask = vi.fn(async () => '1')
    await expect(printed(applyStateFolder, { folder: other, prune: true, ask })).rejects.toThrow('1 change is blocked')
    expect(ask).not.toHaveBeenCalled()
  })

  test('an export knows the sections of the state', () => {
    expect(documentSections.toSorted()).toEqual(Object.keys(DesiredState.properties).sort())
  })
})

describe('the examples of pipelines', async () => {
  const examples = join(import.meta.dirname, '../../../examples/desired-state')
  const read = async (file: string): Promise<unknown> => parse(await readFile(join(examples, file), 'utf8'))
  type Job = { steps?: { uses?: string; run?: string }[]; script?: string[]; extends?: string; stage?: string }
  const github = (await read('github/muster.yml')) as { jobs: Record<string, Job & { 'runs-on': string; if: string }> }
  const {
    stages,
    default: _,
    ...gitlab
  } = (await read('gitlab/.gitlab-ci.yml')) as Record<string, Job> & { stages: string[] }

  test('a pull request plans and the main branch applies, with the options of the command', async () => {
    const { stdout: usage } = await run('--help')
    const githubScripts = Object.values(github.jobs).flatMap(({ steps = [] }) =>
      steps.flatMap(({ run: script }) => script ?? []),
    )
    const gitlabScripts = Object.values(gitlab).flatMap(({ script = [] }) => script)

    for (const scripts of [githubScripts, gitlabScripts]) {
      const calls = scripts.flatMap((script) => script.match(/catalog -- \w+ .*/g) ?? [])
      expect(calls.map((one) => one.split(' ')[2])).toEqual(['plan', 'apply', 'apply'])
      for (const option of calls.flatMap((one) => one.match(/--[a-z-]{2,}/g) ?? [])) expect(usage).toContain(option)
      for (const script of scripts) await promisify(execFile)('bash', ['-n', '-c', script])
    }
  })

  test('every job of GitHub has a condition and steps, and every job of GitLab a known stage and template', () => {
    for (const { steps = [], if: condition, 'runs-on': runner } of Object.values(github.jobs)) {
      expect([condition, runner]).toEqual([expect.any(String), 'ubuntu-latest'])
      expect(steps.every(({ uses, run: script }) => (uses === undefined) !== (script === undefined))).toBe(true)
    }
    for (const [name, { extends: template, stage }] of Object.entries(gitlab).filter(([key]) => !key.startsWith('.'))) {
      expect(Object.keys(gitlab), name).toContain(template)
      expect(stages, name).toContain(stage)
    }
  })

  test('the state of the example can be applied', async () => {
    const { document: state } = await readStateFolder(join(examples, 'state'))
    const planned = await as(...roleNames).send({ method: 'POST', url: '/api/catalog/state/plan', payload: { state } })

    expect(planned.status).toBe(200)
    expect((planned.raw as { changes: { blockers: string[] }[] }).changes.flatMap(({ blockers }) => blockers)).toEqual(
      [],
    )
  })
})
