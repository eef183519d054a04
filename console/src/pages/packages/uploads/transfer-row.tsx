import { Button, Group, Stack, Text } from '@mantine/core'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { useFormat } from '../../../texts/format.ts'
import { useUploadTexts } from '../../../texts/upload-texts.ts'
import { dropTransfer, pauseTransfer, startTransfers, type Transfer } from './transfers.ts'
import { UploadProgress } from './upload-progress.tsx'

/** A file that this page sends, with what can be done about it. */
export function TransferRow({ transfer }: { transfer: Transfer }) {
  const texts = useUploadTexts()
  const format = useFormat()
  const { file, fingerprint, received, state, error } = transfer
  return (
    <Stack component="li" gap={4}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" className="breakable">
          {file.name}
        </Text>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {texts.transferStates[state]} · {texts.amount(format.bytes(received), format.bytes(file.size))}
          </Text>
          {state === 'Sending' || state === 'Waiting' ? (
            <Button size="compact-sm" variant="default" onClick={() => pauseTransfer(fingerprint)}>
              {texts.pause(file.name)}
            </Button>
          ) : (
            <>
              <Button size="compact-sm" variant="default" onClick={() => startTransfers([file])}>
                {texts.resume(file.name)}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => dropTransfer(fingerprint)}>
                {texts.hide(file.name)}
              </Button>
            </>
          )}
        </Group>
      </Group>
      <UploadProgress name={file.name} share={received / file.size} isMoving={state === 'Sending'} />
      {state === 'Failed' && <ProblemAlert error={error} />}
    </Stack>
  )
}
