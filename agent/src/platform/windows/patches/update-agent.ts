import { Automation, type AutomationObject } from '../com/automation.ts'
import { describeHresult } from '../com/hresult.ts'
import { asDate, asNumber, asText, itemsOf, textsOf, using } from '../com/members.ts'
import { type CreateObject, installUpdate, succeeded, type UpdateResult } from './install-update.ts'

/** An update as the Windows Update Agent describes it. */
export type WindowsUpdate = {
  updateId: string
  title: string
  kbArticleIds: string[]
  msrcSeverity: string | null
  categories: { id: string; type: string; name: string }[]
  bulletinIds: string[]
  cveIds: string[]
  supportUrl: string | null
  /** When it was published or changed. */
  changedAt: Date | null
  maxDownloadBytes: number | null
  isInstalled: boolean
}

/** An installation in the history of Windows Update that has succeeded. */
export type PastInstallation = { updateId: string; at: Date }

export type InstalledUpdate = UpdateResult & { updateId: string }

/** How the Windows Update Agent is used. Everything takes a long time: searches query a server, and installations install. */
export type UpdateAgent = {
  search(): Promise<WindowsUpdate[]>
  history(): Promise<PastInstallation[]>
  /** Downloads and installs one of the updates of the last search that are not installed. */
  install(updateId: string): Promise<InstalledUpdate>
  close(): void
}

/** An update server that hangs must not block the agent forever. */
const maxSearchMs = 30 * 60_000

/** Drivers are not patches: they have no number and no severity. */
const criteria = ["IsInstalled=0 and IsHidden=0 and Type='Software'", "IsInstalled=1 and Type='Software'"]

export async function openUpdateAgent(
  create: CreateObject = Automation.create,
  searchLimitMs = maxSearchMs,
): Promise<UpdateAgent> {
  const session = create('Microsoft.Update.Session')
  // The log of Windows Update shows this name. Searches also work without it.
  await session.set('ClientApplicationID', 'Muster').catch(() => {})
  const missing = new Map<string, AutomationObject>()
  const releaseMissing = () => {
    for (const update of missing.values()) update.release()
    missing.clear()
  }
  return {
    async search() {
      releaseMissing()
      const found: WindowsUpdate[] = []
      for (const condition of criteria) {
        const updates = await searchWith(session, condition, searchLimitMs)
        for (const update of updates) {
          const described = await describe(update)
          found.push(described)
          if (described.isInstalled) update.release()
          else missing.set(described.updateId, update)
        }
      }
      return found
    },
    history: () => readHistory(session),
    async install(updateId) {
      const update = missing.get(updateId)
      if (!update) throw new Error('The update is not missing any more.')
      return { updateId, ...(await installUpdate(create, session, update)) }
    },
    close() {
      releaseMissing()
      session.release()
    },
  }
}

async function searchWith(session: AutomationObject, condition: string, limitMs: number): Promise<AutomationObject[]> {
  return using(session.call('CreateUpdateSearcher'), async (searcher) => {
    const search = searcher.call('Search', condition)
    return using(within(limitMs, search), async (result) => {
      await requireCompleteSearch(result)
      return using(result.get('Updates'), itemsOf)
    })
  })
}

/** An incomplete search would let patches that are missing look as if they were not needed. */
async function requireCompleteSearch(result: AutomationObject): Promise<void> {
  const code = asNumber(await result.get('ResultCode'))
  if (code === succeeded) return
  const [warning] = await using(result.get('Warnings'), itemsOf).catch(() => [])
  const hresult = warning && asNumber(await warning.get('HResult'))
  warning?.release()
  throw new Error(
    `The search for updates is incomplete: ${hresult ? describeHresult(hresult) : `it ended with the code ${code}`}`,
  )
}

/** The call continues in its thread, but nothing waits for its result. */
async function within<T>(limitMs: number, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    const minutes = Math.ceil(limitMs / 60_000)
    timer = setTimeout(() => reject(new Error(`The search for updates takes longer than ${minutes} minutes.`)), limitMs)
  })
  return Promise.race([call, limit]).finally(() => clearTimeout(timer))
}

async function describe(update: AutomationObject): Promise<WindowsUpdate> {
  const text = async (member: string) => asText(await update.get(member))
  const texts = (member: string) => using(update.get(member), textsOf)
  return {
    updateId: await using(update.get('Identity'), async (identity) => asText(await identity.get('UpdateID')) ?? ''),
    title: (await text('Title')) ?? '',
    kbArticleIds: await texts('KBArticleIDs'),
    msrcSeverity: await text('MsrcSeverity'),
    categories: await using(update.get('Categories'), categoriesOf),
    bulletinIds: await texts('SecurityBulletinIDs'),
    cveIds: await texts('CveIDs').catch(() => []),
    supportUrl: await text('SupportUrl'),
    changedAt: asDate(await update.get('LastDeploymentChangeTime')),
    maxDownloadBytes: asNumber(await update.get('MaxDownloadSize')),
    isInstalled: (await update.get('IsInstalled')) === true,
  }
}

async function categoriesOf(collection: AutomationObject): Promise<WindowsUpdate['categories']> {
  const categories: WindowsUpdate['categories'] = []
  for (const category of await itemsOf(collection)) {
    const text = async (member: string) => asText(await category.get(member)) ?? ''
    categories.push({ id: await text('CategoryID'), type: await text('Type'), name: await text('Name') })
    category.release()
  }
  return categories
}

const installation = 1

async function readHistory(session: AutomationObject): Promise<PastInstallation[]> {
  return using(session.call('CreateUpdateSearcher'), async (searcher) => {
    const total = asNumber(await searcher.call('GetTotalHistoryCount')) ?? 0
    if (total === 0) return []
    return using(searcher.call('QueryHistory', 0, total), async (entries) => {
      const found: PastInstallation[] = []
      for (const entry of await itemsOf(entries)) {
        const [operation, result] = [await entry.get('Operation'), await entry.get('ResultCode')]
        const at = asDate(await entry.get('Date'))
        const updateId = await using(
          entry.get('UpdateIdentity'),
          async (one) => asText(await one.get('UpdateID')) ?? '',
        )
        if (operation === installation && result === succeeded && at) found.push({ updateId, at })
        entry.release()
      }
      return found
    })
  })
}
