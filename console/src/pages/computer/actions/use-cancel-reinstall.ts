import type { Outcome } from '../../../actions/reviewed-action.ts'
import { api } from '../../../api/client.ts'
import { useHasRole } from '../../../shell/session-context.ts'

type UndoTexts = { undo: string; undone: string }

/** Returns what takes back a reinstall or a scan, for those who may cancel reinstalls. */
export function useCancelReinstall(id: number) {
  const mayCancel = useHasRole('reinstall.execute')
  return (reinstallGroupId: string, { undo, undone }: UndoTexts): Pick<Outcome, 'undo'> => {
    if (!mayCancel) return {}
    const params = { path: { id }, query: { reinstallGroupId } }
    return {
      undo: {
        label: undo,
        done: undone,
        run: () => api.DELETE('/api/computer/{id}/software-reinstall', { params }),
      },
    }
  }
}
