import { Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { type Difference, Differences } from './differences.tsx'
import type { Editor } from './use-editor.ts'

type ChangeDialogProps<Dto, Values extends object> = {
  isOpen: boolean
  editor: Editor<Dto, Values>
  /** What differs between two versions. */
  compare: (before: Dto, now: Dto) => Difference[]
  title: string
  text: string
  confirmLabel: string
  typed?: string | undefined
  isDangerous?: boolean
  change: (etag: string) => Promise<unknown>
  onClose: () => void
}

/**
 * Confirms a change to the version on screen. If someone else has changed it, shows the difference first, and asks again
 * after the person has seen it.
 */
export function ChangeDialog<Dto, Values extends object>({
  editor,
  compare,
  change,
  onClose,
  ...dialog
}: ChangeDialogProps<Dto, Values>) {
  const { problems } = useTexts()
  const [differences, setDifferences] = useState<Difference[]>()
  const [isSeen, setIsSeen] = useState(false)
  const close = () => {
    setDifferences(undefined)
    onClose()
  }
  return (
    <ConfirmDialog
      {...dialog}
      isBlocked={differences !== undefined && !isSeen}
      onClose={close}
      onConfirm={async () => {
        const before = editor.base.value
        const current = await editor.onBase(change)
        // With unsaved input, the dialog of the conflict shows the difference.
        if (!current || editor.form.isDirty()) return close()
        setDifferences(compare(before, current.value))
        setIsSeen(false)
      }}
    >
      {differences && (
        <>
          <Text size="sm" role="alert">
            {problems.changedMeanwhile}
          </Text>
          <Differences differences={differences} isSeen={isSeen} onSeen={setIsSeen} />
        </>
      )}
    </ConfirmDialog>
  )
}
