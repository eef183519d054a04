import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../shell/session-context.ts'
import { standardColumns } from './use-columns.tsx'

/** The columns that the person has chosen in this browser. */
export function useChosenColumns() {
  const { principal } = useSession()
  const [columns, setColumns] = useLocalStorage<readonly string[]>({
    key: `muster.computer-columns.${principal.id}`,
    defaultValue: standardColumns,
    getInitialValueInEffect: false,
  })
  return { columns, setColumns }
}
