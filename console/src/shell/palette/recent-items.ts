import { useLocalStorage } from '@mantine/hooks'
import { IconHistory } from '../../components/icons.ts'
import { useSession } from '../session-context.ts'
import type { PaletteItem } from './palette-item.ts'

const maxItems = 5

type Stored = { id: string; label: string; hint?: string | undefined; to: string }

const isStored = (value: unknown): value is Stored => {
  const { id, label, to } = (value ?? {}) as Partial<Record<keyof Stored, unknown>>
  return [id, label, to].every((text) => typeof text === 'string') && String(to).startsWith('/')
}

/** What the person has chosen last in this browser. */
export function useRecentItems() {
  const { principal } = useSession()
  const [stored, store] = useLocalStorage<unknown>({
    key: `muster.recent.${principal.id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const kept = Array.isArray(stored) ? stored.filter(isStored) : []
  return {
    recent: kept.map((item): PaletteItem => ({ ...item, group: 'recent', icon: IconHistory })),
    remember({ id, label, hint, to }: PaletteItem) {
      if (to === undefined) return
      store([{ id, label, hint, to }, ...kept.filter((other) => other.id !== id)].slice(0, maxItems))
    },
  }
}
