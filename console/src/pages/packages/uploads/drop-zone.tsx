import { Button, FileButton, Group, Paper, Text } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { IconPlus } from '../../../components/icons.ts'
import { useUploadTexts } from '../../../texts/upload-texts.ts'
import classes from './drop-zone.module.css'

/** Takes files that are dropped on it, or chosen with its button. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const texts = useUploadTexts()
  const [isOver, setIsOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    <Paper
      className={classes.zone}
      {...(isOver && { 'data-over': true })}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">{texts.drop}</Text>
        <FileButton onChange={onFiles} multiple inputProps={{ 'aria-label': texts.choose }}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
              {texts.choose}
            </Button>
          )}
        </FileButton>
      </Group>
    </Paper>
  )
}
