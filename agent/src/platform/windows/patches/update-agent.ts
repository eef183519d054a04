import { Automation, type AutomationValue } from '../com/automation.ts'

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

export type InstalledUpdate = { updateId: string; resultCode: number; hresult: number; needsRestart: boolean }

/** How the Windows Update Agent is used. Everything takes long: searches ask a server, and installations install. */
export type UpdateAgent = {
  search(): Promise<WindowsUpdate[]>
  history(): Promise<PastInstallation[]>
  /** Downloads and installs one of the updates of the last search that are not installed. */
  install(updateId: string): Promise<InstalledUpdate>
  close(): void
}

/** Drivers are not patches: they have no number and no severity. */
const criteria = ["IsInstalled=0 and IsHidden=0 and Type='Software'", "IsInstalled=1 and Type='Software'"]

export async function openUpdateAgent(): Promise<UpdateAgent> {
  const session = Automation.create('Microsoft.Update.Session')
  // The log of Windows Update names who has asked. It works without.
  await session.set('ClientApplicationID', 'Muster').catch(() => {})
  const missing = new Map<string, Automation>()
  return {
    async search() {
      const found: WindowsUpdate[] = []
      for (const condition of criteria) {
        const updates = await searchWith(session, condition)
        for (const update of updates) {
          const described = await describe(update)
          found.push(described)
          if (described.isInstalled) update.object.release()
          else missing.set(described.updateId, update)
        }
      }
      return found
    },
    history: () => readHistory(session),
    async install(updateId) {
      const update = missing.get(updateId)
      if (!update) throw new Error('The update is not missing any more.')
      return installUpdate(session, updateId, update)
    },
    close() {
      for (const update of missing.values()) update.object.release()
      session.object.release()
    },
  }
}

async function searchWith(session: Automation, condition: string): Promise<Automation[]> {
  return using(session.call('CreateUpdateSearcher'), (searcher) =>
    using(searcher.call('Search', condition), (result) => using(result.get('Updates'), itemsOf)),
  )
}

async function describe(update: Automation): Promise<WindowsUpdate> {
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

async function categoriesOf(collection: Automation): Promise<WindowsUpdate['categories']> {
  const categories: WindowsUpdate['categories'] = []
  for (const category of await itemsOf(collection)) {
    const text = async (member: string) => asText(await category.get(member)) ?? ''
    categories.push({ id: await text('CategoryID'), type: await text('Type'), name: await text('Name') })
    category.object.release()
  }
  return categories
}

const installation = 1
const succeeded = 2

async function readHistory(session: Automation): Promise<PastInstallation[]> {
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
        entry.object.release()
      }
      return found
    })
  })
}

/** One at a time, so that the result of each is known and one that fails does not stop the others. */
async function installUpdate(session: Automation, updateId: string, update: Automation): Promise<InstalledUpdate> {
  const list = Automation.create('Microsoft.Update.UpdateColl')
  try {
    if ((await update.get('EulaAccepted')) === false) await update.call('AcceptEula')
    await list.call('Add', update.pointer)
    const downloaded = await using(session.call('CreateUpdateDownloader'), (downloader) =>
      resultOf(downloader, 'Download', list),
    )
    if (downloaded.resultCode !== succeeded) return { updateId, ...downloaded, needsRestart: false }
    return await using(session.call('CreateUpdateInstaller'), async (installer) => {
      const installed = await resultOf(installer, 'Install', list)
      return { updateId, ...installed }
    })
  } finally {
    list.object.release()
  }
}

async function resultOf(worker: Automation, action: 'Download' | 'Install', list: Automation) {
  await worker.set('Updates', list.pointer)
  return using(worker.call(action), async (result) => ({
    resultCode: asNumber(await result.get('ResultCode')) ?? 0,
    hresult: asNumber(await result.get('HResult')) ?? 0,
    needsRestart: action === 'Install' && (await result.get('RebootRequired')) === true,
  }))
}

/** Uses an object that a member has returned, and releases it. */
async function using<T>(member: Promise<AutomationValue>, use: (object: Automation) => Promise<T>): Promise<T> {
  const object = await member
  if (!(object instanceof Automation)) throw new Error('The Windows Update Agent has returned no object.')
  try {
    return await use(object)
  } finally {
    object.object.release()
  }
}

async function itemsOf(collection: Automation): Promise<Automation[]> {
  const values = await valuesOf(collection)
  return values.filter((value) => value instanceof Automation)
}

async function textsOf(collection: Automation): Promise<string[]> {
  return (await valuesOf(collection)).filter((value) => typeof value === 'string')
}

async function valuesOf(collection: Automation): Promise<AutomationValue[]> {
  const count = asNumber(await collection.get('Count')) ?? 0
  const values: AutomationValue[] = []
  for (let index = 0; index < count; index++) values.push(await collection.get('Item', index))
  return values
}

const asText = (value: AutomationValue) => (typeof value === 'string' && value !== '' ? value : null)
const asNumber = (value: AutomationValue) =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null
const asDate = (value: AutomationValue) => (value instanceof Date ? value : null)
