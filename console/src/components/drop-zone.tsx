import { Button, FileButton, Group, Paper, Text } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import classes from './drop-zone.module.css'
import { IconPlus } from './icons.ts'

type Dropped = {
  files: File[]
  /** What browsers know of the folders among what was dropped. */
  folders: FileSystemDirectoryEntry[]
}

type DropZoneProps = {
  hint: string
  /** The text of the button that chooses files. */
  choose: string
  /** The endings of the files that the dialog of the browser offers. */
  accept?: string
  onDrop: (dropped: Dropped) => void
  /** Further buttons. */
  children?: ReactNode
}

/** Takes files that are dropped anywhere on the page, or chosen with its button. */
export function DropZone({ hint, choose, accept, onDrop, children }: DropZoneProps) {
  const isOver = useDroppedFiles(onDrop)
  return (
    <Paper className={classes.zone} {...(isOver && { 'data-over': true })}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{hint}</Text>
        <Group gap="xs">
          <FileButton
            onChange={(files) => onDrop({ files, folders: [] })}
            multiple
            {...(accept && { accept })}
            inputProps={{ 'aria-label': choose }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
                {choose}
              </Button>
            )}
          </FileButton>
          {children}
        </Group>
      </Group>
    </Paper>
  )
}

/** Returns whether files are being dragged over the page. One that missed a part of it would replace the page. */
function useDroppedFiles(onDrop: DropZoneProps['onDrop']): boolean {
  const [isOver, setIsOver] = useState(false)
  const take = useEffectEvent(onDrop)
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
      take(readDropped(event.dataTransfer))
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
function readDropped({ items, files }: DataTransfer): Dropped {
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry())
  const isFolder = (_: File, index: number) => entries[index]?.isDirectory === true
  return {
    files: [...files].filter((file, index) => !isFolder(file, index)),
    folders: entries.filter((entry): entry is FileSystemDirectoryEntry => entry?.isDirectory === true),
  }
}
