// biome-ignore-all lint/correctness/noComponentHookFactories: the members have the names that Windows gives to them
import type { AutomationObject, AutomationValue } from '../../src/platform/windows/com/automation.ts'
import { ComError } from '../../src/platform/windows/com/hresult.ts'
import { type ComArgument, InterfacePointer } from '../../src/platform/windows/com/variant.ts'

const unknownName = 0x80020006
const invalidArgument = 0x80070057
const allFailed = 0x80240022
const notDownloaded = 0x80246007
const declinedLicence = 0x80240023
const [succeeded, succeededWithErrors, failed] = [2, 3, 4]

type Member = AutomationValue | ((...args: ComArgument[]) => AutomationValue | Promise<AutomationValue>)

export type FakeUpdate = {
  id: string
  kb: string
  product?: string
  type?: 'Software' | 'Driver'
  isInstalled?: boolean
  isHidden?: boolean
  needsLicence?: boolean
  asksUser?: boolean
  /** A bundle states no behavior of its installation. */
  isBundle?: boolean
  downloadError?: number
  installError?: number
  needsRestart?: boolean
}

/** An entry of the history: 1 is an installation and 2 a removal; the results are those of updates. */
export type FakeHistoryEntry = { id: string; at: Date; operation?: 1 | 2; result?: number }

type Computer = {
  updates: FakeUpdate[]
  history?: FakeHistoryEntry[]
  /** The code of a warning that makes a search incomplete. */
  searchWarning?: number
  isSearchStuck?: boolean
  needsRestartBefore?: boolean
}

/**
 * The Windows Update Agent as its documentation describes it, by the names of its members: a name that it does not have is
 * an error, an update is installed only if it was downloaded and its licence accepted, and the result of a list does not
 * state why one of its updates has failed.
 */
export function fakeUpdateAgent({
  updates,
  history = [],
  searchWarning,
  isSearchStuck,
  needsRestartBefore = false,
}: Computer) {
  const [accepted, downloaded, installed] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const byAddress = new Map<bigint, Shown>()
  const searches: string[] = []
  let [open, lastAddress] = [0, 0n]

  type Shown = AutomationObject & { ids: string[] }

  function object(name: string, members: Record<string, Member>, ids: string[] = []): Shown {
    open += 1
    const pointer = new InterfacePointer(++lastAddress)
    let isReleased = false
    const invoke = async (member: string, ...args: ComArgument[]) => {
      if (isReleased) throw new Error(`${name} is used after its release.`)
      if (!Object.hasOwn(members, member)) throw new ComError(`Finding ${name}.${member}`, unknownName)
      const found = members[member] as Member
      return typeof found === 'function' ? found(...args) : found
    }
    const shown: Shown = {
      ids,
      pointer,
      get: invoke,
      call: invoke,
      set: async (member, value) => {
        await invoke(member, value)
      },
      release() {
        if (isReleased) throw new Error(`${name} is released twice.`)
        isReleased = true
        open -= 1
      },
    }
    byAddress.set(pointer.address, shown)
    return shown
  }

  const at = (value: ComArgument | undefined) => byAddress.get((value as InterfacePointer).address) as Shown
  const updateOf = (id: string) => updates.find((update) => update.id === id) as FakeUpdate

  function collection(name: string, items: (() => AutomationValue)[]) {
    return object(name, { Count: items.length, Item: (index) => items[index as number]?.() ?? null })
  }

  function update({ id, kb, product = 'Windows 11', asksUser = false, ...one }: FakeUpdate) {
    const category = () => object('ICategory', { CategoryID: 'c', Type: 'Product', Name: product })
    const members: Record<string, Member> = {
      Identity: () => object('IUpdateIdentity', { UpdateID: id, RevisionNumber: 200 }),
      Title: `Update ${kb}`,
      KBArticleIDs: () => collection('IStringCollection', [() => kb]),
      MsrcSeverity: 'Critical',
      Categories: () => collection('ICategoryCollection', [category]),
      SecurityBulletinIDs: () => collection('IStringCollection', []),
      CveIDs: () => collection('IStringCollection', []),
      SupportUrl: '',
      LastDeploymentChangeTime: new Date('2026-03-10T17:00:00.000Z'),
      MaxDownloadSize: 1024,
      IsInstalled: () => (one.isInstalled ?? false) || installed.has(id),
      EulaAccepted: () => !one.needsLicence || accepted.has(id),
      AcceptEula: () => void accepted.add(id) as unknown as null,
      InstallationBehavior: () =>
        one.isBundle ? null : object('IInstallationBehavior', { CanRequestUserInput: asksUser }),
    }
    return object('IUpdate', members, [id])
  }

  function search(criteria: string): AutomationValue | Promise<AutomationValue> {
    searches.push(criteria)
    if (isSearchStuck) return new Promise(() => {})
    const wanted = new Map(criteria.split(' and ').map((one) => one.split('=') as [string, string]))
    const fits = (name: string, value: string) => !wanted.has(name) || wanted.get(name) === value
    const found = updates.filter(
      ({ id, type = 'Software', isInstalled, isHidden }) =>
        fits('IsInstalled', isInstalled || installed.has(id) ? '1' : '0') &&
        fits('IsHidden', isHidden ? '1' : '0') &&
        fits('Type', `'${type}'`),
    )
    const warning = () => object('IUpdateException', { HResult: (searchWarning ?? 0) | 0, Message: '' })
    return object('ISearchResult', {
      ResultCode: searchWarning ? succeededWithErrors : succeeded,
      Updates: () =>
        collection(
          'IUpdateCollection',
          found.map((one) => () => update(one)),
        ),
      Warnings: () => collection('IUpdateExceptionCollection', searchWarning ? [warning] : []),
    })
  }

  function historyEntry({ id, at: date, operation = 1, result = succeeded }: FakeHistoryEntry) {
    return object('IUpdateHistoryEntry', {
      Operation: operation,
      ResultCode: result,
      Date: date,
      UpdateIdentity: () => object('IUpdateIdentity', { UpdateID: id, RevisionNumber: 200 }),
    })
  }

  /** Refuses to list no entries, as Windows does. */
  function queryHistory(first: number, count: number) {
    if (count < 1) throw new ComError('IUpdateSearcher.QueryHistory', invalidArgument)
    const entries = history.slice(first, first + count).map((entry) => () => historyEntry(entry))
    return collection('IUpdateHistoryEntryCollection', entries)
  }

  /** A downloader or an installer: it works on the list that was set, and fails for each update on its own. */
  function worker(name: string, action: string, work: (update: FakeUpdate) => number, members = {}) {
    let list: Shown | undefined
    return object(name, {
      ...members,
      Updates: (value) => {
        list = at(value)
        return null
      },
      [action]: () => {
        const codes = (list?.ids ?? []).map((id) => work(updateOf(id)))
        const hasFailed = codes.some((code) => code !== 0)
        const results = codes.map((code, index) => () => {
          const needsRestart = code === 0 && (updateOf(list?.ids[index] ?? '').needsRestart ?? false)
          const restart = action === 'Install' && { RebootRequired: needsRestart }
          return object('IUpdateResult', { ResultCode: code ? failed : succeeded, HResult: code | 0, ...restart })
        })
        return object('IOperationResult', {
          ResultCode: hasFailed ? failed : succeeded,
          HResult: (hasFailed ? allFailed : 0) | 0,
          GetUpdateResult: (index) => results[index as number]?.() ?? null,
        })
      },
    })
  }

  function download({ id, needsLicence, downloadError }: FakeUpdate): number {
    if (needsLicence && !accepted.has(id)) return declinedLicence
    if (!downloadError) downloaded.add(id)
    return downloadError ?? 0
  }

  function install({ id, installError }: FakeUpdate): number {
    if (!downloaded.has(id)) return notDownloaded
    if (!installError) installed.add(id)
    return installError ?? 0
  }

  function create(program: string): AutomationObject {
    if (program === 'Microsoft.Update.UpdateColl') {
      const ids: string[] = []
      return object('IUpdateCollection', { Add: (value) => ids.push(...at(value).ids) - 1 }, ids)
    }
    const restart = { RebootRequiredBeforeInstallation: needsRestartBefore }
    return object('IUpdateSession', {
      ClientApplicationID: () => null,
      CreateUpdateSearcher: () =>
        object('IUpdateSearcher', {
          Search: (criteria) => search(criteria as string),
          GetTotalHistoryCount: history.length,
          QueryHistory: (first, count) => queryHistory(first as number, count as number),
        }),
      CreateUpdateDownloader: () => worker('IUpdateDownloader', 'Download', download),
      CreateUpdateInstaller: () => worker('IUpdateInstaller', 'Install', install, restart),
    })
  }

  return {
    create,
    searches,
    accepted,
    downloaded,
    installed,
    /** The objects that nobody has released. */
    open: () => open,
  }
}
