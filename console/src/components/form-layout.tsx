import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { ProblemAlert } from './problem-view.tsx'

type FormLayoutProps = {
  saving: { submit: (event?: FormEvent<HTMLFormElement>) => void; error: unknown; isSaving: boolean }
  submitLabel: string
  isUnchanged?: boolean
  onCancel?: () => void
  children: ReactNode
}

/** The common layout of forms: fields, problem, buttons. */
export function FormLayout({ saving, submitLabel, isUnchanged = false, onCancel, children }: FormLayoutProps) {
  const texts = useTexts()
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack gap="md">
        {children}
        <ProblemAlert error={saving.error} />
        <Group justify="flex-end" gap="sm">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {texts.common.cancel}
            </Button>
          )}
          <Button type="submit" loading={saving.isSaving} disabled={isUnchanged}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
