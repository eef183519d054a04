import { spawn } from 'node:child_process'
import { chmod, chown, copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { agentProgram } from '../../agent/test/agent-bundle.ts'
import { temporaryFolder, until } from '../../server/test/database/embedded-postgres/muster.ts'
import { eventually, inBrowser, openBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { lowContrasts, violations } from '../../server/test/web/in-browser/violations.ts'
import { type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { nodeForOthers } from '../../tools/open-to-others.ts'
import { enrolAgent } from '../end-to-end/agents.ts'
import { assignTemplate } from '../end-to-end/deployments.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const isRoot = process.getuid?.() === 0
/** An account that need not exist. */
const mia = isRoot ? 41_001 : process.getuid?.()

async function importEditor(muster: Muster): Promise<string> {
  const manifest = {
    ...{ name: 'editor', version: '4.2', displayName: 'Example Editor', description: 'Writes letters' },
    ...{ kind: 'software', operatingSystems: ['Linux'], category: 'Office', icon: 'icon.png' },
    commands: { install: { shell: 'while ! test -e "$MUSTER_EXAMPLE_ROOT/go-on"; do sleep 0.05; done' } },
  }
  await muster.write('editor/muster-package.json', JSON.stringify(manifest))
  await writeFile(join(muster.store, 'editor/icon.png'), png)
  return muster.importFolder('editor')
}

/**
 * Runs `muster-agent open` as a user without administrator rights, whose desktop notes what it opens in the browser. Returns that
 * file, and the address to which it leads.
 */
async function openAsUser(program: string, userFolder: string): Promise<{ file: string; address: string }> {
  const home = await temporaryFolder()
  const [opened, desktop] = [join(home, 'opened'), join(home, 'bin')]
  await mkdir(desktop)
  await writeFile(join(desktop, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > ${opened}\n`, { mode: 0o755 })
  if (isRoot) await chown(home, mia ?? 0, mia ?? 0)
  const child = spawn(await nodeForOthers(), [program, 'open'], {
    ...(isRoot && { uid: mia, gid: mia }),
    env: {
      PATH: `${desktop}:${process.env.PATH}`,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      MUSTER_AGENT_USER_FOLDER: userFolder,
    },
    stdio: 'inherit',
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const file = await until(() => readFile(opened, 'utf8').catch(() => undefined))
  // Only its owner may read what opens the page.
  expect(await stat(file)).toMatchObject({ uid: mia, mode: 0o100_600 })
  const address = /url=(http:[^"]+)/.exec(await readFile(file, 'utf8'))?.[1] ?? expect.fail('There is no address.')
  return { file, address }
}

inBrowser('a user takes an offer, follows its installation and asks for another package, in the browser', async () => {
  const muster = await startMuster()
  const groupId = await muster.group('Office')
  await assignTemplate(muster, groupId, { contactIntervalMinutes: 0.02 })
  const [editor, greeting] = [await importEditor(muster), await muster.importExample('greeting')]
  await muster.post(`/api/group/${groupId}/packages`, { packageId: editor })
  await muster.put(`/api/group/${groupId}/distribution-options?packageId=${editor}`, {
    commands: ['Install', 'Optional'],
  })
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  const [program, userFolder] = [join(folder, 'agent.cjs'), join(folder, 'run')]
  await copyFile(agentProgram, program)
  const agent = await enrolAgent({
    ...{ server: muster.service.address, token: await muster.enrolmentToken(groupId), name: 'alpha' },
    env: { MUSTER_AGENT_USER_FOLDER: userFolder },
  })
  await mkdir(agent.root, { recursive: true })
  await muster.post(`/api/group/${groupId}/activation`, { software: true })
  const running = agent.run()
  await until(async () => running.output().includes('is running') || undefined)
  const { file, address } = await openAsUser(program, userFolder)
  const { origin } = new URL(address)
  const { newContext, openTab } = openBrowser(origin)
  const { page } = await openTab(await newContext({}))

  // What is offered has its category and its icon, and can be searched.
  await page.goto(`file://${file}`)
  await page.waitForURL(`${origin}/s/**`)
  const available = page.getByRole('listitem').filter({ hasText: 'Example Editor' })
  await eventually(() => page.getByRole('heading', { name: 'Available' }).count()).toBe(1)
  expect(await available.textContent()).toContain('Office')
  await eventually(() => page.evaluate<number>("document.querySelector('img.icon').naturalWidth")).toBe(1)
  await page.getByLabel('Search').fill('nothing like it')
  await eventually(() => page.getByText('Nothing found.').count()).toBe(1)
  await page.getByLabel('Search').fill('letters')
  await eventually(() => available.count()).toBe(1)
  await page.getByLabel('Category').selectOption('Office')
  await eventually(() => page.getByText('1 package found').count()).toBe(1)
  expect(await violations(page)).toEqual([])
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await lowContrasts(page)).toEqual([])
  }

  // It is taken with the keyboard, and its progress is shown without loading the page again.
  await page.getByRole('button', { name: 'Install Example Editor' }).focus()
  await page.keyboard.press('Enter')
  await eventually(() => page.locator('#message').allTextContents()).toEqual(['Example Editor is requested.'])
  await eventually(() => page.getByRole('progressbar', { name: 'Progress of Example Editor' }).count()).toBe(1)
  await screenshot(page, 'self-service')
  expect(await violations(page)).toEqual([])
  await writeFile(join(agent.root, 'go-on'), '')
  await eventually(() => page.getByRole('heading', { name: 'Installed' }).count()).toBe(1)

  const done = page.getByRole('row').filter({ hasText: 'Example Editor' })
  await eventually(async () => (await done.allTextContents()).join()).toMatch(/Installation.*Done/)

  // What is missing is asked for, approved by an administrator, and installed.
  await page.getByLabel('Search').fill('')
  await page.getByLabel('Category').selectOption('')
  await eventually(async () => new URL(page.url()).search).toBe('?search=&category=&lang=en')
  await page.getByLabel('What do you need?').fill('Something that greets me')
  await page.keyboard.press('Enter')
  await eventually(() => page.getByText('Your request waits for an administrator.').count()).toBe(1)
  const { items } = await muster.get<{ items: { requestId: string; wish: string; userName: string }[] }>(
    '/api/package-requests?state=Pending',
  )
  expect(items).toMatchObject([
    { wish: 'Something that greets me', userName: isRoot ? `uid ${mia}` : expect.any(String) },
  ])
  await muster.post(`/api/package-requests/${items[0]?.requestId}/approval`, {
    packageId: greeting,
    answer: 'Here it is.',
  })
  await eventually(() => page.getByText('Here it is.').count()).toBe(1)
  await eventually(() => page.getByRole('listitem').filter({ hasText: 'Installed on' }).count()).toBe(2)

  // Work is postponed, and the page is available in German.
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Verschieben' }).click()
  await eventually(() => page.getByText(/^Bis .* verschoben\. Nichts von dem/).count()).toBe(1)
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  expect(await violations(page)).toEqual([])
  const { items: events } = await muster.get<{ items: { type: string }[] }>(
    `/api/fleet/computers/${agent.clientId}/events?types=muster.user.*,muster.package-request.*`,
  )
  expect(events.map(({ type }) => type)).toEqual([
    'muster.user.postponed-work',
    'muster.package-request.decided',
    'muster.package-request.made',
    'muster.user.took-package',
  ])
})
