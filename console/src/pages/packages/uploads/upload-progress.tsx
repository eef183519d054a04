import { Progress } from '@mantine/core'
import { useFormat } from '../../../texts/format.ts'
import { useUploadTexts } from '../../../texts/upload-texts.ts'

/** How much of a file has arrived. */
export function UploadProgress({ name, share, isMoving }: { name: string; share: number; isMoving: boolean }) {
  const texts = useUploadTexts()
  const format = useFormat()
  return (
    <Progress.Root size="md">
      <Progress.Section
        value={share * 100}
        animated={isMoving}
        aria-label={texts.progress(name, format.percent(share))}
      />
    </Progress.Root>
  )
}
