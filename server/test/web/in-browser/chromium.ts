import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { installDebianPackages } from '../../../../tools/debian-packages.ts'

// The one without windows comes first: it takes two thirds of the processor time of the other.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Finds MUSTER_CHROMIUM or the Chromium of this machine, and installs that of Debian if there is none. */
export async function findChromium(): Promise<string | undefined> {
  const { MUSTER_CHROMIUM: chosen } = process.env
  if (chosen) return chosen
  const present = await findInPath()
  if (present) return present
  const reason = installDebianPackages()
  if (reason) console.warn(`Chromium is missing: ${reason}.`)
  return findInPath()
}

async function findInPath(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    const isProgram = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isProgram) return path
  }
  return undefined
}

/** What Playwright switches off: of several such arguments, only the last counts. */
const unwantedByPlaywright = [
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** The lists of suggestions below the address bar, which nobody sees, are pages of their own in every window. */
const unseenPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

export const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--process-per-site',
  `--disable-features=${[...unwantedByPlaywright, ...unseenPages].join()}`,
  // Tests must not contact other machines.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]
