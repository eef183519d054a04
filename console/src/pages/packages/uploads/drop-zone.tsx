import { Button, FileButton, Group, Paper, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { IconPlus } from '../../../components/icons.ts'
import { useUploadTexts } from '../../../texts/upload-texts.ts'
import classes from './drop-zone.module.css'

type DropZoneProps = {
  /** Called with the files, and with the names of folders among what was dropped. */
  onFiles: (files: File[], folders: string[]) => void
}

/** Takes files that are dropped anywhere on the page, or chosen with its button. */
export function DropZone({ onFiles }: DropZoneProps) {
  const texts = useUploadTexts()
  const isOver = useDroppedFiles(onFiles)
  return (
    <Paper className={classes.zone} {...(isOver && { 'data-over': true })}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{texts.drop}</Text>
        <FileButton onChange={(files) => onFiles(files, [])} multiple inputProps={{ 'aria-label': texts.choose }}>
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

/** Returns whether files are being dragged over the page. One that missed a part of it would replace the page. */
function useDroppedFiles(onFiles: DropZoneProps['onFiles']): boolean {
  const [isOver, setIsOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(false)
      const { files, folders } = readDropped(event.dataTransfer)
      take(files, folders)
    }
    addEventListener('dragover', drag)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', drag)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

type DragOfFiles = DragEvent & { dataTransfer: DataTransfer }

/** Texts are dragged as well. */
const hasFiles = (event: DragEvent): event is DragOfFiles => event.dataTransfer?.types.includes('Files') === true

/** Browsers give a folder as a file that cannot be read. */
function readDropped({ items, files }: DataTransfer): { files: File[]; folders: string[] } {
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry())
  const isFolder = (_: File, index: number) => entries[index]?.isDirectory === true
  return {
    files: [...files].filter((file, index) => !isFolder(file, index)),
    folders: [...files].filter(isFolder).map(({ name }) => name),
  }
}
