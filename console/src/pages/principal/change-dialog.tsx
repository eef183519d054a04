import { Problem } from '../../api/problem.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Editor } from './use-editor.ts'

type ChangeDialogProps<Dto, Values extends object> = {
  isOpen: boolean
  editor: Editor<Dto, Values>
  title: string
  text: string
  confirmLabel: string
  typed?: string | undefined
  isDangerous?: boolean
  change: (etag: string) => Promise<unknown>
  onClose: () => void
}

/** Confirms a change to the version on screen. If someone else has changed it, shows the new version and asks again. */
export function ChangeDialog<Dto, Values extends object>({
  editor,
  change,
  ...dialog
}: ChangeDialogProps<Dto, Values>) {
  const { problems } = useTexts()
  return (
    <ConfirmDialog
      {...dialog}
      onConfirm={async () => {
        const isDone = await editor.onBase(change)
        if (!isDone && !editor.form.isDirty())
          throw new Problem({ title: problems.changedTitle, detail: problems.changedMeanwhile }, 412)
        dialog.onClose()
      }}
    />
  )
}
