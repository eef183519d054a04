import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { listPackageUploads } from '../../../src/features/package-uploads/api/list-package-uploads.ts'
import { openTemporaryFolder } from '../../world/temporary-folder.ts'
import { dropFiles } from './drop-files.ts'
import { inBrowser } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const folder = await openTemporaryFolder()
afterAll(() => rm(folder, { recursive: true }))
const { as, visit } = await openPages({
  configuration: { packageStore: join(folder, 'store'), minFreeDiskMegabytes: 0 },
})

const findUpload = async (name: string) =>
  (await as('package.write').call(listPackageUploads)).body.items.find(({ fileName }) => fileName === name)

/** Whether the browser would ask before it closes the tab. */
const asksBeforeLeaving = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"

inBrowser(
  'an upload continues after a reload of the page with what had arrived, and files are sent wherever they are dropped on the page',
  async () => {
    const content = randomBytes(9 * 1024 * 1024)
    const path = join(folder, 'large.zip')
    await writeFile(path, content)
    await writeFile(join(folder, 'dropped.msi'), 'dropped')
    await mkdir(join(folder, 'unpacked'))
    const { page, goTo } = await visit()
    const sent: string[] = []
    // The second request with bytes never arrives.
    await page.route('**/api/package-uploads/*', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      sent.push(route.request().headers()['upload-offset'] ?? '')
      return sent.length === 2 ? undefined : route.continue()
    })
    await goTo('/packages')
    const choose = page.locator('input[type=file]')

    await choose.setInputFiles(path)
    await page.getByText(/^Being sent · 8/).waitFor()
    expect(await page.evaluate(asksBeforeLeaving)).toBe(true)
    await page.reload()
    await page.getByText(/choose the same file again/).waitFor()
    const interrupted = await findUpload('large.zip')
    await choose.setInputFiles(path)
    await page.getByRole('button', { name: 'Import large.zip' }).waitFor()
    await dropFiles(page.getByRole('heading', { level: 1 }), join(folder, 'dropped.msi'), join(folder, 'unpacked'))
    await page.getByText('unpacked is a folder.').waitFor()
    await page.getByRole('button', { name: 'Review and import dropped.msi' }).waitFor()

    expect(await page.evaluate(asksBeforeLeaving)).toBe(false)
    expect(interrupted).toMatchObject({ state: 'Receiving', received: 8 * 1024 * 1024 })
    expect(sent.slice(0, 3)).toEqual(['0', '8388608', '8388608'])
    expect(await findUpload('large.zip')).toMatchObject({
      id: interrupted?.id,
      state: 'Ready',
      sha256: createHash('sha256').update(content).digest('hex'),
    })
    expect(await violations(page)).toEqual([])
  },
)
