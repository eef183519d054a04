import { Alert, Button, Checkbox, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { IconAlertTriangle } from './icons.ts'
import { useBeforeUnload } from './use-before-unload.ts'

type ShownOnceProps = {
  title: string
  warning: string
  storedLabel: string
  onDone: () => void
  /** The fields to copy. Without fields the dialog is closed. */
  children: ReactNode | undefined
}

/** Shows a secret once. It cannot be closed by accident. */
export function ShownOnce({ title, children, ...content }: ShownOnceProps) {
  return (
    <Modal
      opened={children !== undefined}
      onClose={() => undefined}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Content {...content}>{children}</Content>
    </Modal>
  )
}

function Content({ warning, storedLabel, onDone, children }: Omit<ShownOnceProps, 'title'>) {
  const { common } = useTexts()
  const [isStored, setIsStored] = useState(false)
  useBeforeUnload(!isStored)
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
        {warning}
      </Alert>
      {children}
      <Checkbox label={storedLabel} checked={isStored} onChange={(event) => setIsStored(event.currentTarget.checked)} />
      <Group justify="flex-end">
        <Button disabled={!isStored} onClick={onDone}>
          {common.continue}
        </Button>
      </Group>
    </Stack>
  )
}
