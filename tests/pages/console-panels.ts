import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import type { ExampleIds } from './console-pages.ts'

const source = join(import.meta.dirname, '../../console/src')

/** What shows a panel or a dialog. The library's own are used in few places only, see console/test/pages/panels.test.ts. */
const shells = [
  'ReviewPanel',
  'SidePanel',
  'Dialog',
  'ConfirmDialog',
  'ShownOnce',
  'Drawer',
  'Modal',
  'Popover.Dropdown',
]

/** Every panel and dialog in the code of the console: the file and the component that show it. */
export function listPanels(): string[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const found = files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    const uses = [...text.matchAll(new RegExp(`<(${shells.join('|')})(?:\\.Root)?[\\s<>]`, 'g'))]
    return uses.flatMap(({ 1: shell = '', index }) => {
      const component =
        text
          .slice(0, index)
          .match(/function \w+/g)
          ?.at(-1)
          ?.slice('function '.length) ?? ''
      // These are made of each other.
      if (shells.includes(component)) return []
      return `${file.replace(/\.tsx$/, '')} ${component}${shell === 'ShownOnce' ? ' once' : ''}`
    })
  })
  return [...new Set(found)].sort()
}

export type PanelTools = {
  page: Page
  context: BrowserContext
  ids: PanelIds
  /** Changes something, as another person does. */
  change(method: 'PUT' | 'PATCH' | 'POST', url: string, body: object): Promise<unknown>
  /** Signs another person in, in the same window. */
  signInAs(...roles: 'admin.manage'[]): Promise<void>
}

export type PanelIds = ExampleIds & {
  ruledGroup: string
  groupWithQueues: string
  openTask: string
  patchWithFiles: number
  unapprovedPatch: number
  /** Waits for its operating system. */
  newComputer: number
}

/** Finds what only some panels need: a deployment that is on its way, a patch with files, and so on. */
export async function findPanelIds(ids: ExampleIds, get: (path: string) => Promise<unknown>): Promise<PanelIds> {
  const items = async (path: string) => ((await get(path)) as { items: Record<string, unknown>[] }).items
  const groups = await items('/api/fleet/groups')
  const patches = await items('/api/patches?top=1000')
  const tasks: Record<string, unknown>[] = []
  for (const { trackingId } of await items('/api/tasks?top=50'))
    tasks.push((await get(`/api/tasks/${trackingId}`)) as Record<string, unknown>)
  const ofPerson = tasks.filter(({ rolloutId }) => rolloutId === null)
  return {
    ...ids,
    groupWithQueues: String(groups.find(({ name }) => name === 'Berlin')?.id),
    ruledGroup: String(groups.find(({ name }) => name === 'Laptops')?.id),
    openTask: String(ofPerson.find(({ type, open }) => type === 'Activation' && Number(open) > 0)?.trackingId),
    patchWithFiles: Number(patches.find(({ patchName }) => String(patchName).includes('KB5060100'))?.patchId),
    unapprovedPatch: Number(patches.find(({ approvedProductCount }) => approvedProductCount === 0)?.patchId),
    newComputer: Number((await items('/api/fleet/os-installations'))[0]?.id),
  }
}
