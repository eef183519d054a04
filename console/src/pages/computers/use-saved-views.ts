import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../shell/session-context.ts'

/** A list under a name: `search` is the part of the address with filters, columns and order. */
export type SavedView = { name: string; search: string }

/** The views that the person has saved in this browser. */
export function useSavedViews() {
  const { principal } = useSession()
  const [views, setViews] = useLocalStorage<readonly SavedView[]>({
    key: `muster.computer-views.${principal.id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const without = (name: string) => views.filter((view) => view.name !== name)
  return {
    views,
    save: (view: SavedView) =>
      setViews([...without(view.name), view].sort((one, other) => one.name.localeCompare(other.name))),
    remove: (name: string) => setViews(without(name)),
  }
}
