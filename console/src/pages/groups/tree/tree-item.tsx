import { Badge, VisuallyHidden } from '@mantine/core'
import type { MouseEvent } from 'react'
import { IconChevronRight } from '../../../components/icons.ts'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { TreeRow } from './forest.ts'
import classes from './group-tree.module.css'

type TreeItemProps = {
  id: string
  row: TreeRow
  top: number
  isCurrent: boolean
  isChosen: boolean
  onToggle: () => void
  onChoose: () => void
}

const indent = 16

/** One line. The tree handles its keys. */
export function TreeItem({ id, row, top, isCurrent, isChosen, onToggle, onChoose }: TreeItemProps) {
  const { groups, actions } = useTexts()
  const format = useFormat()
  const { group, level, position, siblings, isOpen } = row
  const toggle = (event: MouseEvent) => {
    event.stopPropagation()
    onToggle()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree refers to its current item
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isChosen}
      {...(isOpen !== undefined && { 'aria-expanded': isOpen })}
      className={classes.item}
      data-current={isCurrent}
      style={{ transform: `translateY(${top}px)`, paddingInlineStart: (level - 1) * indent }}
      onClick={onChoose}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: an arrow for the mouse; the tree handles the keys */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <span className={classes.arrow} data-open={isOpen} onClick={isOpen === undefined ? undefined : toggle}>
        {isOpen !== undefined && <IconChevronRight size={16} aria-hidden />}
      </span>
      <span className={classes.name} title={group.name}>
        {group.name}
      </span>
      {(group.kind === 'EOL' || group.kind === 'Restore') && (
        <Badge size="xs" color="gray" flex="none">
          {groups.kinds[group.kind]}
        </Badge>
      )}
      <span className={classes.count} aria-hidden>
        {format.number(group.computers)}
      </span>
      <VisuallyHidden>{actions.computers(group.computers)}</VisuallyHidden>
    </div>
  )
}
