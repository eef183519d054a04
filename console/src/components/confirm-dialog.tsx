import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { Dialog } from './dialog.tsx'
import { ProblemAlert } from './problem-view.tsx'
import { unguarded } from './use-input-guard.tsx'

type Question = {
  text: string
  confirmLabel: string
  cancelLabel?: string
  /** A text that must be typed first, where a click alone would be too easy. */
  typed?: string | undefined
  isDangerous?: boolean
  /** Something must be confirmed first, in the children. */
  isBlocked?: boolean
  /** Shown below the text. */
  children?: ReactNode
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks for confirmation. If the action fails, the dialog stays open and shows the problem. */
export function ConfirmDialog({ isOpen, title, ...question }: Question & { isOpen: boolean; title: string }) {
  return (
    <Dialog isOpen={isOpen} onClose={question.onClose} title={title}>
      <Answers {...question} />
    </Dialog>
  )
}

function Answers({ text, confirmLabel, cancelLabel, typed, isDangerous, isBlocked = false, ...question }: Question) {
  const { onConfirm, onClose, children } = question
  const texts = useTexts()
  const [typedSoFar, setTypedSoFar] = useState('')
  const { mutate, error, isPending } = useMutation({ mutationFn: onConfirm })
  const confirm = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={confirm}>
      <Stack>
        <Text className="breakable">{text}</Text>
        {children}
        {typed !== undefined && (
          <TextInput
            data-autofocus
            {...unguarded}
            label={texts.common.typeToConfirm(typed)}
            value={typedSoFar}
            onChange={(event) => setTypedSoFar(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
        <ProblemAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {cancelLabel ?? texts.common.cancel}
          </Button>
          <Button
            type="submit"
            {...(isDangerous && { color: 'red' })}
            loading={isPending}
            disabled={isBlocked || (typed !== undefined && typedSoFar !== typed)}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
