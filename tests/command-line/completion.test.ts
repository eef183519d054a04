import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../cli/src/commands/index.ts'
import { openWorld } from '../../server/test/world/open-world.ts'
import { commandsIn } from './muster-command.ts'
import { completionFile, isInstalled, prepareShells, shells } from './shells.ts'

const world = await openWorld()
const { given } = world
const { address, credentials, muster, musterOn, settings } = await commandsIn(world)
const office = await given.group({ name: 'Head office' })
await given.group({ name: 'Berlin', parent: office })
await given.computer({ name: 'pc-01' })
await given.computer({ name: 'pc-02' })
await given.package({ name: 'firefox', version: '128' })
await given.package({ name: 'firefox', version: '129' })
await given.agentTemplate({ name: 'Settings', version: '1' })
await given.localPrincipal({ description: 'Nightly report' })
await muster('webhooks', 'create', 'To the chat', 'https://chat.example.org/hooks')

/** What is offered for the last word. */
const offered = async (...words: string[]) => (await muster('complete', '--', ...words)).out.split('\n').slice(0, -1)

test('every command, its options and its values are offered', async () => {
  for (const { name, options = [] } of commands) {
    const words = name.split(' ')
    expect(await offered(...words)).toContain(words.at(-1))
    const known = await offered(...words, '--')
    for (const [syntax] of options) expect(known).toContain(/--[\w-]+/.exec(syntax)?.[0])
  }
  expect(await offered('rollout', 'list', '--state', 'Pa')).toEqual(['Paused'])
  expect(await offered('computers', '-o', '')).toEqual(['table', 'json', 'csv'])
  expect(await offered('computers', '--health', 'Healthy', 'W')).toEqual(['Warning'])
  expect(await offered('issues', 'low')).toEqual(['low-disk'])
  expect(await offered('group', 'Berlin', 'a')).toEqual(['add', 'assign'])
})

test('names of computers, groups, packages and operations are offered where they are expected', async () => {
  expect(await offered('computer', 'pc')).toEqual(['pc-01', 'pc-02'])
  expect(await offered('group', 'Head')).toEqual(['Head office', 'Head office/Berlin'])
  expect(await offered('group', 'Ber')).toEqual(['Berlin'])
  expect(await offered('group', 'Configuration/He')).toEqual([
    'Configuration/Head office',
    'Configuration/Head office/Berlin',
  ])
  expect(await offered('group', 'Berlin', 'add', 'pc-01', 'pc-0')).toEqual(['pc-01', 'pc-02'])
  expect(await offered('group', 'Berlin', 'assign', '--dry-run', 'fire')).toEqual(['firefox@128', 'firefox@129'])
  expect(await offered('explain', 'pc-01', 'firefox@129')).toEqual(['firefox@129'])
  expect(await offered('rollout', 'start', 'Name', '--group', 'Head office/')).toEqual(['Head office/Berlin'])
  expect(await offered('api', 'createTag')).toEqual(['createTag'])
  expect(await offered('computer', 'pc-01', 'uninstall', 'fire')).toEqual(['firefox@128', 'firefox@129'])
  expect(await offered('agent-templates', 'show', 'Set')).toEqual(['Settings@1'])
  expect(await offered('principal', 'rotate', 'Night')).toEqual(['Nightly report'])
  expect(await offered('principal', 'roles', 'grant', 'Nightly report', 'computer.')).toEqual([
    'computer.read',
    'computer.write',
  ])
  expect(await offered('webhooks', 'test', 'To')).toEqual(['To the chat'])
})

test('without a sign-in, commands are offered and names are not', async () => {
  const nobody = { environment: { XDG_CONFIG_HOME: join(settings, 'nobody') } }

  expect((await musterOn(nobody, 'complete', '--', 'comp')).out).toBe('computers\ncomputer\ncompletion\ncomplete\n')
  expect(await musterOn(nobody, 'complete', '--', 'computer', 'pc')).toEqual({ code: 0, out: '', err: '' })
})

test.each([
  ['muster explain pc-01 firefox@12', ['@128', '@129']],
  ['muster group Head\\ o', ['Head\\ office', 'Head\\ office/Berlin']],
  ['muster group "Head o', ['Head office', 'Head office/Berlin']],
  ["muster group 'Head office' a", ['add', 'assign']],
])(
  'bash replaces only what it regards as the last word, with quotes where they are needed: %s',
  async (line, replies) => {
    expect((await muster('complete', '--line', line)).out.trim().split('\n')).toEqual(replies)
  },
)

describe('in a shell', async () => {
  const typeInto = await prepareShells({ address, credentials, folder: settings })

  test.for(Object.keys(shells))(
    '%s completes commands, options and names at the press of the tab key',
    { timeout: 120_000 },
    async (shell, { skip }) => {
      skip(!isInstalled(shell), `${shell} is not installed`)
      await writeFile(completionFile(settings, shell), (await muster('completion', shell)).out)

      const lines = {
        'muster rollout pau\t': '[rollout][pause]',
        'muster computers --is\tlow-disk': '[computers][--issue][low-disk]',
        'muster explain pc-02 firefox@129\t': '[explain][pc-02][firefox@129]',
        'muster group Head\\ office/\tadd': '[group][Head office/Berlin][add]',
      }

      expect(await typeInto(shell, Object.keys(lines))).toEqual(Object.values(lines))
    },
  )
})
