import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium, launchArguments } from '../server/test/web/in-browser/chromium.ts'
import { apiOf, requestAccessToken, until } from '../simulator/demo/api.ts'
import { consolePages, findExampleIds } from '../tests/pages/console-pages.ts'

// Runs the demo, opens the pages of the console and writes pictures of them for the documentation. With --address,
// --client-id and --client-secret, it uses a demo that runs already.

const repository = join(import.meta.dirname, '..')
const pictures = join(repository, 'docs/screenshots')
/** Together they must not make the repository heavy. */
const maxTotalBytes = 1_500_000
const size = { width: 1280, height: 800 }
const webpQuality = 72

type Demo = { address: string; clientId: string; clientSecret: string; stop(): Promise<void> }

async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-screenshots-'))
  const args = ['--data', join(folder, 'demo'), '--port', '0', '--computers', '240']
  const child = spawn(process.execPath, [join(repository, 'simulator/demo/main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`The demo ended:\n${output}`)
      return output.includes('Things to try') || undefined
    },
    'the demo to become ready, with a built console',
    600_000,
  )
  const read = (label: string) => new RegExp(`^  ${label} +(\\S+)$`, 'm').exec(output)?.[1] ?? ''
  return {
    address: read('API').replace(/\/api$/, ''),
    clientId: read('Client ID'),
    clientSecret: read('Client secret'),
    async stop() {
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function findRunningDemo(): Demo | undefined {
  const text = { type: 'string', default: '' } as const
  const { values } = parseArgs({ options: { address: text, 'client-id': text, 'client-secret': text } })
  const { address, 'client-id': clientId, 'client-secret': clientSecret } = values
  return address ? { address, clientId, clientSecret, stop: async () => {} } : undefined
}

/** Waits until the demo has something to show on every page. */
async function findPaths({ address, clientId, clientSecret }: Demo) {
  const api = apiOf(address, await requestAccessToken(address, clientId, clientSecret))
  await until(
    async () => {
      const { items } = await api.get<{ items: { state: string }[] }>('/api/rollouts')
      return items.some(({ state }) => state === 'Paused') || undefined
    },
    'a rollout that pauses itself',
    600_000,
  )
  return findExampleIds((path) => api.get(path))
}

async function openVisitor(browser: Browser, demo: Demo, colorScheme: 'light' | 'dark'): Promise<BrowserContext> {
  const { address, clientId, clientSecret } = demo
  const context = await browser.newContext({
    baseURL: address,
    viewport: size,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    colorScheme,
  })
  const answer = await context.request.post('/admin/session', { data: { clientId, clientSecret } })
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}.`)
  return context
}

/** Takes the picture as WebP, which Chromium can and Playwright cannot. */
async function takePicture(page: Page, path: string): Promise<Buffer> {
  await page.goto(path)
  await page.locator('main h1').first().waitFor()
  await until(
    async () => (await page.locator('.mantine-Skeleton-root, [data-loading]').count()) === 0 || undefined,
    `the content of ${path}`,
  )
  const devTools = await page.context().newCDPSession(page)
  const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: webpQuality })
  return Buffer.from(data, 'base64')
}

async function takeAll(browser: Browser, demo: Demo): Promise<Map<string, Buffer>> {
  const ids = await findPaths(demo)
  const taken = new Map<string, Buffer>()
  for (const scheme of ['light', 'dark'] as const) {
    const context = await openVisitor(browser, demo, scheme)
    const page = await context.newPage()
    for (const { name, path, pictures: schemes = [] } of consolePages)
      if (schemes.includes(scheme)) taken.set(`${name}-${scheme}.webp`, await takePicture(page, path(ids)))
    await context.close()
  }
  return taken
}

async function replacePictures(taken: Map<string, Buffer>): Promise<void> {
  const total = [...taken.values()].reduce((sum, { length }) => sum + length, 0)
  if (total > maxTotalBytes) throw new Error(`The pictures have ${total} bytes, which is more than ${maxTotalBytes}.`)
  await mkdir(pictures, { recursive: true })
  for (const name of await readdir(pictures)) if (name.endsWith('.webp')) await rm(join(pictures, name))
  for (const [name, content] of taken) await writeFile(join(pictures, name), content)
  console.log(`${taken.size} pictures with ${Math.round(total / 1000)} kB in docs/screenshots`)
}

const executablePath = await findChromium()
if (!executablePath) throw new Error('Chromium is missing. Name it in MUSTER_CHROMIUM.')
const demo = findRunningDemo() ?? (await startDemo())
try {
  const browser = await chromium.launch({ executablePath, args: launchArguments })
  try {
    await replacePictures(await takeAll(browser, demo))
  } finally {
    await browser.close()
  }
} finally {
  await demo.stop()
}
