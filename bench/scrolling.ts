import { randomUUID } from 'node:crypto'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import type { Database } from '../server/src/database/connect.ts'
import { refreshFleetStatistics } from '../server/src/features/issues/fleet-statistics.ts'
import { insertLocalPrincipal } from '../server/src/features/principals/principals.ts'
import { roleNames } from '../server/src/platform/roles.ts'
import { findChromium, launchArguments } from '../server/test/web/in-browser/chromium.ts'
import { growFleet } from './fleet.ts'
import { round } from './round.ts'
import { type BenchService, withFleet } from './service.ts'
import { reportTarget } from './target.ts'

const size = 100_000
/** 99 of the computers: one page of the list. */
const smallList = '/computers?search=pc-00000'
const rounds = 3
/** In pixels; a row is 40 pixels high. */
const distancePerRound = 36_000
const pixelsPerSecond = 6_000
/** How much longer a frame may take than in the small table: a screen shows a frame in whole steps of 17 ms. */
const target = 2

type Frames = { frames: number[]; longTasks: number[] }

/** Frame times while the user scrolls through 100,000 computers, compared to a table of 100 rows in the same run. */
export async function benchScrolling(): Promise<void> {
  const executablePath = await findChromium()
  if (!executablePath) throw new Error('Install Chromium, or set MUSTER_CHROMIUM to its path.')
  await withFleet(`computers-${size}`, grow, async (service) => {
    const browser = await chromium.launch({ executablePath, args: launchArguments })
    try {
      const context = await browser.newContext({ baseURL: service.address, viewport: { width: 1280, height: 900 } })
      await context.request.post('/admin/session', { data: await newClient(service) })
      const page = await context.newPage()
      report(await measure(page, await context.newCDPSession(page)))
    } finally {
      await browser.close()
    }
  })
}

async function grow(db: Database): Promise<void> {
  await growFleet(db, size)
  await refreshFleetStatistics(db)
}

async function newClient({ app, database: { db } }: BenchService) {
  const [clientId, clientSecret] = [`bench-${randomUUID()}`, 'bench']
  const principal = { clientId, secret: clientSecret, description: 'Reader', roles: roleNames, expiresAt: null }
  await insertLocalPrincipal(db, app.services.keys, principal)
  return { clientId, clientSecret }
}

/** In turns so that other load on the machine disturbs both alike. The first round warms up the browser. */
async function measure(page: Page, devTools: CDPSession): Promise<{ small: Frames; large: Frames }> {
  const small: Frames = { frames: [], longTasks: [] }
  const large: Frames = { frames: [], longTasks: [] }
  for (let round = 0; round <= rounds; round++)
    for (const [path, all] of [
      [smallList, small],
      ['/computers', large],
    ] as const) {
      const { frames, longTasks } = await scrollThrough(page, devTools, path)
      if (round === 0) continue
      all.frames.push(...frames)
      all.longTasks.push(...longTasks)
    }
  return { small, large }
}

/** Turns the wheel: through as many rows as the distance has, or up and down if the table is shorter. */
async function scrollThrough(page: Page, devTools: CDPSession, path: string): Promise<Frames> {
  await page.goto(path)
  await page.getByRole('row', { name: /pc-/ }).first().waitFor()
  const scroller = page.getByRole('grid').locator('..')
  const length = await scroller.evaluate((element) => element.scrollHeight - element.clientHeight)
  const box = await scroller.boundingBox()
  if (!box) throw new Error('The table is not shown.')
  const step = Math.min(length, distancePerRound)
  await page.evaluate(startRecording)
  for (let [done, direction] = [0, -1]; done < distancePerRound; done += step, direction = -direction)
    await devTools.send('Input.synthesizeScrollGesture', {
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      yDistance: direction * step,
      speed: pixelsPerSecond,
      gestureSourceType: 'mouse',
    })
  return page.evaluate<Frames>('window.endRecording()')
}

/** Records the time between frames, and the tasks that block the page for more than 50 ms. */
const startRecording = `(() => {
  const frames = [], longTasks = []
  const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.duration)))
  observer.observe({ type: 'longtask' })
  let last = performance.now()
  let isRecording = true
  const record = (now) => {
    frames.push(now - last)
    last = now
    if (isRecording) requestAnimationFrame(record)
  }
  requestAnimationFrame(record)
  window.endRecording = () => {
    isRecording = false
    observer.disconnect()
    return { frames, longTasks }
  }
})()`

function report({ small, large }: { small: Frames; large: Frames }): void {
  const rowOf = (table: string, { frames, longTasks }: Frames) => ({
    table,
    frames: frames.length,
    'median ms': round(quantile(frames, 0.5)),
    'p95 ms': round(quantile(frames, 0.95)),
    'p99 ms': round(quantile(frames, 0.99)),
    'max ms': round(Math.max(...frames)),
    'long tasks': longTasks.length,
  })
  console.table([rowOf('99 rows', small), rowOf(`${size} rows`, large)])
  const ratio = quantile(large.frames, 0.95) / quantile(small.frames, 0.95)
  reportTarget(
    `p95 of a frame with ${size} rows: ${round(ratio)} of that with 99 rows, at most ${target}`,
    ratio <= target,
  )
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
}
