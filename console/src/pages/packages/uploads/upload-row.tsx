import { Button, Group, Stack, Text } from '@mantine/core'
import type { PackageUpload } from '../../../api/package-uploads.ts'
import { Moment } from '../../../components/moment.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { useHasRole } from '../../../shell/session-context.ts'
import { useFormat } from '../../../texts/format.ts'
import { useUploadTexts } from '../../../texts/upload-texts.ts'
import { UploadProgress } from './upload-progress.tsx'

const kinds = { Receiving: 'neutral', Ready: 'good', Importing: 'running' } as const

type UploadRowProps = { upload: PackageUpload; onImport: () => void; onDelete: () => void }

/** An upload on the service that this page does not send. */
export function UploadRow({ upload, onImport, onDelete }: UploadRowProps) {
  const texts = useUploadTexts()
  const format = useFormat()
  const isAdministrator = useHasRole('admin.manage')
  const { fileName, size, received, state, isOwn, createdBy, expiresAtUtc, importFault } = upload
  return (
    <Stack component="li" gap={4}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" className="breakable">
          {fileName}
        </Text>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {state === 'Receiving' ? texts.amount(format.bytes(received), format.bytes(size)) : format.bytes(size)}
          </Text>
          <StatusBadge kind={kinds[state]}>{texts.states[state]}</StatusBadge>
          {isOwn && state === 'Ready' && (
            <Button size="compact-sm" onClick={onImport}>
              {texts.import(fileName)}
            </Button>
          )}
          {(isOwn || isAdministrator) && state !== 'Importing' && (
            <Button size="compact-sm" variant="default" onClick={onDelete}>
              {texts.delete(fileName)}
            </Button>
          )}
        </Group>
      </Group>
      {state === 'Receiving' && <UploadProgress name={fileName} share={received / size} isMoving={false} />}
      <Text size="sm" c="dimmed" className="breakable">
        {isOwn ? (state === 'Receiving' ? texts.chooseAgain : texts.ownReady) : texts.of(createdBy)} {texts.expires}{' '}
        <Moment at={expiresAtUtc} />
      </Text>
      {importFault !== null && (
        <Text size="sm" c="red" className="breakable">
          {importFault}
        </Text>
      )}
    </Stack>
  )
}
