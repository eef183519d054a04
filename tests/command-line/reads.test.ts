import { expect, test } from 'vitest'
import { openWorld } from '../../server/test/world/open-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openWorld()
const { given } = world
const { address, environment, muster, musterOn } = await commandsIn(world)
const office = await given.group({ name: 'Office' })
const berlin = await given.group({ name: 'Berlin', parent: office })
await given.group({ name: 'Berlin', tree: 'AssignmentGroups' })
const first = await given.computer({ name: 'pc-01', lastSeen: new Date() })
await given.computer({ name: 'pc-02' })
await given.computer({ name: 'twin', domain: 'north.example.org' })
await given.computer({ name: 'twin', domain: 'south.example.org' })
await given.member(berlin, first)
const firefox = await given.package({ name: 'Firefox', version: '128', is_operational: true })
await given.package({ name: 'Firefox', version: '129' })

test('computers are listed as a table, as CSV or as JSON', async () => {
  const table = await muster('computers')
  const csv = await muster('computers', 'pc-01', '-o', 'csv')
  const json = await muster('computers', '--group', 'Office/Berlin', '--output', 'json')

  expect(table).toMatchObject({ code: 0, err: '' })
  expect(table.out.split('\n')[0]).toMatch(/^NAME +DOMAIN +SYSTEM.* CONNECTED +NEXT CONTACT /)
  expect(table.out).toMatch(/^pc-02 +corp\.example\.org/m)
  expect(csv.out).toMatch(/^name,domain,system,.*\r\npc-01,corp\.example\.org,.*,[^,]*Office\/Berlin\r\n$/)
  expect(JSON.parse(json.out)).toMatchObject([{ hostname: 'pc-01', groups: [{ name: 'Berlin' }] }])
})

test('nothing is coloured unless a person reads it', async () => {
  const plain = await muster('groups', 'tree')
  const coloured = await musterOn({ isTerminal: true }, 'groups', 'tree')
  const refused = await musterOn({ isTerminal: true, environment: { ...environment, NO_COLOR: '1' } }, 'groups', 'tree')

  expect(plain.out).toContain('    Berlin  1\n')
  expect(plain.out).not.toContain('\x1b')
  expect(coloured.out).toContain('\x1b[2m1\x1b[22m')
  expect(refused.out).toBe(plain.out)
})

test('a computer is found by its name, with its domain, or by # and its id', async () => {
  const results = await Promise.all(
    ['PC-01', 'pc-01.corp.example.org', `#${first.id}`].map((name) => muster('computer', name)),
  )

  expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
  for (const { out } of results) expect(out).toContain(`pc-01.corp.example.org (#${first.id})`)
})

test('an ambiguous name is wrong use, and the candidates are listed', async () => {
  const computer = await muster('computer', 'twin')
  const group = await muster('group', 'Berlin')
  const chosen = await muster('explain', 'pc-01', 'firefox')

  expect([computer.code, group.code, chosen.code]).toEqual([2, 2, 2])
  expect(computer.err).toContain('"twin" is ambiguous: 2 computers match.')
  expect(computer.err).toContain('twin.north.example.org')
  expect(group.err).toContain('Assignment/Berlin\n  Configuration/Office/Berlin')
  expect(chosen.err).toContain('Firefox@128')
  expect((await muster('computer', 'twin.south.example.org')).code).toBe(0)
  expect((await muster('group', 'AssignmentGroups/Berlin')).code).toBe(0)
  expect((await muster('group', 'Office/Berlin')).out).toContain('Configuration/Office/Berlin')
})

test('a name that does not exist, an unknown option and an unknown command are wrong use', async () => {
  const results = await Promise.all([
    muster('computer', 'nobody'),
    muster('computers', '--colour', 'red'),
    muster('computer', 'pc-01', 'explode'),
    muster('comptuers'),
  ])

  expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2])
  expect(results[0]?.err).toBe('No computer is named "nobody".\n')
  expect(results[3]?.err).toContain('Did you mean computers?')
})

test('a value that the service refuses is a failure that names the parameter', async () => {
  const { code, err } = await muster('computers', '--sort', 'beauty')

  expect(code).toBe(1)
  // A single mistake is described once.
  expect(err).toMatch(/^query parameter 'sort' .* \(InvalidRequest\)\n$/)
})

test('it is explained why a computer lacks a package', async () => {
  const { out } = await muster('explain', 'pc-01', 'Firefox@128')

  expect(out).toMatch(/^Verdict {2,}NotAssigned: /)
})

test('the status shows the service, the principal and the fleet', async () => {
  const { code, out } = await muster('status')
  const json = await muster('status', '-o', 'json')

  expect(code).toBe(0)
  expect(out).toContain(address)
  expect(JSON.parse(json.out)).toMatchObject({ address, caller: { kind: 'local' }, freeze: { frozen: false } })
})

test('the status names what waits for a decision, and says if nothing does', async () => {
  const { out: before } = await muster('status')
  await given.quarantinedAgent(first)

  const { out } = await muster('status')

  expect(before).toMatch(/To decide +nothing/)
  expect(out).toMatch(/agents in quarantine +1: claim/)
})

test('a name that contains control characters cannot write to the terminal', async () => {
  const evil = await given.package({ name: 'Evil\x1b[2J', version: '1' })
  await given.package({ name: 'Evil\x1b[2J', version: '2' })

  const list = await musterOn({ isTerminal: true }, 'packages', 'list', 'Evil')
  const released = await musterOn({ isTerminal: true }, 'packages', 'release', evil.id, '--dry-run')
  const ambiguous = await musterOn({ isTerminal: true }, 'packages', 'release', 'Evil\x1b[2J')
  const shown = await musterOn({ isTerminal: true }, 'explain', 'pc-01', evil.id)

  expect(list.out).toMatch(/^Evil\\u001b\[2J +1/m)
  expect(ambiguous.err).toContain('"Evil\\u001b[2J" is ambiguous')
  for (const { err, out } of [list, released, ambiguous, shown]) expect(out + err).not.toContain('\x1b[2J')
})

test('a cell of CSV that begins like a formula is a text', async () => {
  await given.package({ name: '=HYPERLINK("http://evil")', version: '1' })

  const { out } = await muster('packages', 'list', 'HYPERLINK', '-o', 'csv')

  expect(out).toContain('"\'=HYPERLINK(""http://evil"")",1,')
})

test('a list is as long as its limit, and one without entries says so on a terminal', async () => {
  const limited = await muster('computers', '--limit', '2', '-o', 'json')
  const empty = await musterOn({ isTerminal: true }, 'computers', 'nobody-has-this-name')
  const piped = await muster('computers', 'nobody-has-this-name')

  expect(JSON.parse(limited.out)).toHaveLength(2)
  expect(empty.err).toBe('Nothing was found.\n')
  expect(piped.err).toBe('')
})

test('a name that does not exist is refused with similar names', async () => {
  expect((await muster('computer', 'pc')).err).toBe('No computer is named "pc". Similar names: pc-01, pc-02\n')
  expect((await muster('packages', 'status', 'Fire')).err).toContain('Similar names: Firefox@128, Firefox@129')
})

test('a number or time that is none is wrong use', async () => {
  const results = await Promise.all([
    muster('computers', '--limit', 'many'),
    muster('group', 'Office', 'deploy', '--expect', 'many'),
    muster('enrol-token', 'create', '--uses', '0'),
    muster('enrol-token', 'create', '--days', 'x'),
    muster('principal', 'rotate', 'x', '--keep', 'x'),
    muster('audit', '--since', 'yesterday'),
  ])

  expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2])
  expect(results[1]?.err).toBe('--expect needs a whole number, not "many".\n')
  expect(results[5]?.err).toContain('"yesterday" is not a time.')
})

test('the audit trail is listed from a time on, and a task by the beginning of its id', async () => {
  await muster('enrol-token', 'create')

  const later = await muster('audit', '--since', '2099-01-01', '-o', 'json')
  const earlier = await muster('audit', '--since', '2020-01-01', '-o', 'json')
  const task = await muster('tasks', 'nonsense')

  expect(JSON.parse(later.out)).toEqual([])
  expect(JSON.parse(earlier.out)).not.toEqual([])
  expect(task).toMatchObject({ code: 2, err: 'No task is named "nonsense".\n' })
})

test('events are followed for the computer that is named', async () => {
  const interruption = new AbortController()
  let stream = ''
  const send = async (request: Request) => {
    if (request.url.includes('/stream')) {
      stream = request.url
      interruption.abort()
    }
    return fetch(request)
  }

  await musterOn({ send, signal: interruption.signal }, 'events', '--follow', '--computer', 'pc-01')

  expect(stream).toContain(`computerId=${first.id}`)
})

test('packages, patches, issues, tasks, events, audit entries, principals and rollouts can be listed', async () => {
  const lists = [
    ...[['packages', 'list'], ['packages', 'status', 'Firefox@128'], ['patches'], ['issues', 'low-disk'], ['tasks']],
    ...[['events'], ['events', '--types', 'muster.computer.*'], ['audit'], ['principal', 'list']],
    ...[
      ['rollout', 'list'],
      ['enrol-token', 'list'],
      ['computer', 'pc-01', 'software'],
      ['computer', 'pc-01', 'history'],
    ],
  ]
  for (const list of lists) {
    const { code, err, out } = await muster(...list, '-o', 'json')
    expect(code, `${list.join(' ')}: ${err}`).toBe(0)
    expect(JSON.parse(out), list.join(' ')).toBeInstanceOf(Array)
  }
  expect((await muster('packages', 'list', 'Firefox', '-o', 'json')).out).toContain(firefox.id)
})

test('a word of a fixed list is accepted in any case, and another one is wrong use that lists them', async () => {
  const lower = await muster('computers', '--contact', 'day', 'never', '-o', 'json')
  const wrong = await muster('computers', '--health', 'Splendid')
  const issue = await muster('issues', 'lowdisk')

  expect((JSON.parse(lower.out) as { hostname: string }[]).map(({ hostname }) => hostname)).toContain('pc-01')
  expect(wrong).toMatchObject({ code: 2, err: '--health: "Splendid" is not one of Healthy, Warning, Unreachable.\n' })
  expect(issue).toMatchObject({ code: 2, err: expect.stringMatching(/^"lowdisk" is not one of low-disk, /) })
})

test('a group that does not exist is refused with similar names, even after a typing mistake', async () => {
  expect((await muster('group', 'Ofice')).err).toBe('No group is named "Ofice". Similar names: Office\n')
  expect((await muster('group', 'Office/Berl')).err).toBe('No group is named "Office/Berl". Similar names: Berlin\n')
  expect((await muster('group', 'Nowhere at all')).err).toBe('No group is named "Nowhere at all".\n')
})

test('a name is found however the system writes its umlauts', async () => {
  await given.group({ name: 'Köln' })

  expect(await muster('group', 'Ko\u0308ln')).toMatchObject({ code: 0, err: '' })
})

test('times are ages for people, and UTC in CSV', async () => {
  const table = await muster('computers', 'pc-01')
  const csv = await muster('computers', 'pc-01', '-o', 'csv')

  expect(table.out).toMatch(/ \d+ (s|min) ago/)
  expect(csv.out).toMatch(/,\d{4}-\d{2}-\d{2}T[\d:.]+Z,/)
  expect(csv.out).not.toContain('ago')
})

test('columns are aligned behind wide characters, emoji and combined letters', async () => {
  const names = ['漢字の店', 'Ko\u0308ln', 'Rocket 🚀', 'Plain']
  for (const name of names) await given.package({ name, version: 'aligned', is_operational: true })

  const { out } = await muster('packages', 'list')
  const screen = out.split('\n').filter((line) => line.includes('aligned'))

  // Han characters and the rocket fill two columns each, the dots on the letter none.
  const extra = { [names[0] ?? '']: 4, [names[1] ?? '']: -1, [names[2] ?? '']: 0 } as Record<string, number>
  const columns = screen.map((line) => {
    const [name = ''] = line.split(/ {2,}/)
    return line.indexOf('aligned') + (extra[name] ?? 0)
  })
  expect(screen).toHaveLength(4)
  expect(new Set(columns).size).toBe(1)
})

test('a name of a group with control characters cannot write to the terminal', async () => {
  await given.group({ name: 'Red\x1b[2J' })

  const { out } = await musterOn({ isTerminal: true }, 'groups', 'tree')

  expect(out).toContain('Red')
  expect(out).not.toContain('\x1b[2J')
})

test('a package whose name contains an @ is found', async () => {
  await given.package({ name: 'Mail@Work', version: '3' })

  expect(await muster('packages', 'status', 'Mail@Work')).toMatchObject({ code: 0 })
  expect(await muster('packages', 'status', 'mail@work@3')).toMatchObject({ code: 0 })
  expect(await muster('packages', 'status', 'mail@work@4')).toMatchObject({ code: 2 })
})

test('names that look the same are listed', async () => {
  const parent = await given.group({ name: 'Twins' })
  for (const name of ['Till', 'Till ']) await given.group({ parent, name })

  const { out } = await muster('duplicate-names', '-o', 'csv')

  expect(out).toMatch(/^kind,name,stored,place,id\r\n/)
  expect(out.match(/^Group,Till,/gm)).toHaveLength(2)
})

test('computers with the same UUID are listed, and each one names the others', async () => {
  const uuid = '4c4c4544-0051-3510-8052-b4c04f4d3332'
  await given.computer({ name: 'board-1', uuid })
  await given.computer({ name: 'board-2', uuid })

  const list = await muster('duplicate-uuids', '-o', 'csv')
  const shown = await muster('computer', 'board-1')

  expect(list.out).toMatch(new RegExp(`^uuid,computer,.*\r\n${uuid},board-1,.*\r\n${uuid},board-2,.*\r\n$`))
  expect(shown.out).toMatch(/Same UUID +board-2/)
})
