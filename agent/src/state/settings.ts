import type { Settings } from '../protocol.ts'
import { readStored, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

/** The settings that this agent supports. Others are stored and ignored. */
export type KnownSettings = {
  contactIntervalMinutes: number
  inventoryIntervalMinutes: number
  suspensionMode: string | null
  rebootCommand: string | null
  downloadTimeLimitMinutes: number
  keepDownloadsDays: number
  /** 0: no limit. */
  maxDownloadKilobytesPerSecond: number
  showNotifications: boolean
  /** Public keys to pin, and the signature of a list that replaces pinned ones. */
  trustedKeys: string | null
  trustedKeysSignature: string | null
}

export async function readSettings({ settings }: StateFolder): Promise<Settings | undefined> {
  return readStored<Settings>(settings)
}

export async function storeSettings({ platform, settings }: StateFolder, received: Settings): Promise<void> {
  await writeDurably(platform.files, settings, received)
}

/** Keeps the settings but clears their hash, so the next contact requests them again. */
export async function clearSettingsHash(state: StateFolder): Promise<void> {
  const settings = await readSettings(state)
  if (settings) await storeSettings(state, { ...settings, hash: '' })
}

const dayMinutes = 24 * 60
/** Files that nothing has used for longer only fill the disk. */
const maxKeptDays = 90

/** Reads the supported settings. A value of the wrong type counts as not set, and numbers have a maximum. */
export function knownSettings(settings: Settings | undefined): KnownSettings {
  const values = settings?.values ?? {}
  const number = (name: string, fallback: number, max: number) => {
    const value = values[name]
    return typeof value === 'number' && value >= 0 ? Math.min(value, max) : fallback
  }
  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    contactIntervalMinutes: number('contactIntervalMinutes', 60, dayMinutes),
    inventoryIntervalMinutes: number('inventoryIntervalMinutes', 60, 30 * dayMinutes),
    suspensionMode: text('suspensionMode'),
    rebootCommand: text('rebootCommand'),
    downloadTimeLimitMinutes: number('downloadTimeLimitMinutes', 240, 7 * dayMinutes),
    keepDownloadsDays: number('keepDownloadsDays', 7, maxKeptDays),
    maxDownloadKilobytesPerSecond: number('maxDownloadKilobytesPerSecond', 0, Number.MAX_SAFE_INTEGER / 1_000),
    showNotifications: values.showNotifications === true,
    trustedKeys: text('trustedKeys'),
    trustedKeysSignature: text('trustedKeysSignature'),
  }
}
