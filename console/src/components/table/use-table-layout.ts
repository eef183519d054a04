import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../shell/session-context.ts'

export type Density = 'Comfortable' | 'Compact'

type Kept = {
  /** The ids of the columns that are shown; those that the table shows by default unless given. */
  shown?: readonly string[]
  pinned: readonly string[]
  /** In pixels. Other columns share the remaining space. */
  widths: Readonly<Record<string, number>>
}

export type TableLayout = Kept & {
  density: Density
  setDensity: (density: Density) => void
  setShown: (shown: readonly string[]) => void
  togglePin: (id: string) => void
  setWidth: (id: string, width: number) => void
  /** Deletes columns and widths of this table. The density is that of all tables. */
  reset: () => void
}

const asItIs: Kept = { pinned: [], widths: {} }

/** How close the rows of all tables are. */
export function useDensity() {
  const { principal } = useSession()
  return useLocalStorage<Density>({
    key: `muster.density.${principal.id}`,
    defaultValue: 'Comfortable',
    getInitialValueInEffect: false,
  })
}

/** How the person has laid out the table of this name in this browser. The density is the same in all tables. */
export function useTableLayout(name: string): TableLayout {
  const { principal } = useSession()
  const [density, setDensity] = useDensity()
  const [kept, setKept] = useLocalStorage<Kept>({
    key: `muster.table.${principal.id}.${name}`,
    defaultValue: asItIs,
    getInitialValueInEffect: false,
  })
  return {
    ...kept,
    density,
    setDensity,
    setShown: (shown) => setKept((current) => ({ ...current, shown })),
    togglePin: (id) =>
      setKept((current) => ({
        ...current,
        pinned: current.pinned.includes(id) ? current.pinned.filter((other) => other !== id) : [...current.pinned, id],
      })),
    setWidth: (id, width) => setKept((current) => ({ ...current, widths: { ...current.widths, [id]: width } })),
    reset: () => setKept(asItIs),
  }
}
