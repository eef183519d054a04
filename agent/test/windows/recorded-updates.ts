import type { WindowsUpdate } from '../../src/platform/windows/patches/update-agent.ts'

const category = (type: string, name: string, id = '00000000-0000-0000-0000-000000000000') => ({ id, type, name })
const windows = [
  category('Company', 'Contoso'),
  category('ProductFamily', 'Windows'),
  category('Product', 'Windows 11'),
]
const security = category('UpdateClassification', 'Sicherheitsupdates', '0FA1201D-4330-4FA8-8AE9-B877473B6441')

const nothing = { bulletinIds: [], cveIds: [], msrcSeverity: null, supportUrl: null, isInstalled: false }

/** Updates in the shape that the Windows Update Agent has for them. The classification is in the language of the system. */
export const recordedUpdates: readonly WindowsUpdate[] = [
  {
    ...nothing,
    updateId: '8b8c4f0e-1f2d-4a6b-9c3e-5d7a9b1c2d3e',
    title: '2026-03 Cumulative Update for Windows 11 Version 23H2 for x64-based Systems (KB5035853)',
    kbArticleIds: ['5035853'],
    msrcSeverity: 'Critical',
    categories: [...windows, security],
    cveIds: ['CVE-2026-12345', 'ADV260001'],
    supportUrl: 'https://support.vendor.example.org/help/5035853',
    changedAt: new Date('2026-03-10T17:00:00.000Z'),
    maxDownloadBytes: 734003200,
  },
  {
    ...nothing,
    updateId: '11111111-2222-3333-4444-555555555555',
    title: 'Security Intelligence Update for Microsoft Defender Antivirus - KB2267602 (Version 1.405.1)',
    kbArticleIds: ['2267602'],
    categories: [
      category('Product', 'Microsoft Defender Antivirus'),
      category('UpdateClassification', 'Definitionsupdates', 'E0789628-CE08-4437-BE74-2495B842F43B'),
    ],
    changedAt: new Date('2026-03-13T00:00:00.000Z'),
    maxDownloadBytes: 1048576,
  },
  {
    ...nothing,
    updateId: '99999999-2222-3333-4444-555555555555',
    title: '2026-02 Cumulative Update for Windows 11 Version 23H2 for x64-based Systems (KB5034765)',
    kbArticleIds: ['5034765'],
    categories: [...windows, security],
    changedAt: new Date('2026-02-10T18:00:00.000Z'),
    maxDownloadBytes: 700000000,
    isInstalled: true,
  },
  {
    ...nothing,
    updateId: 'aaaaaaaa-2222-3333-4444-555555555555',
    title: 'An update without an article',
    kbArticleIds: [],
    categories: [],
    changedAt: null,
    maxDownloadBytes: 0,
  },
]

/** The product of updates for each operating system, as the catalog of Microsoft names them. */
const products: Record<string, string> = {
  'Windows 11': 'Windows 11',
  'Windows 10': 'Windows 10, version 1903 and later',
  'Windows Server 2022': 'Microsoft Server operating system-21H2',
  'Windows Server 2019': 'Windows Server 2019',
}

/** An update for an operating system: its product is not always named like it. */
export function updateOf(system: string): WindowsUpdate {
  const [update] = recordedUpdates
  if (!update || !products[system]) throw new Error(`No update was recorded for ${system}.`)
  return { ...update, categories: [category('Product', products[system]), security] }
}
