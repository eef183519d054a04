import { Paper, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Loading } from '../../../components/loading.tsx'
import { ProblemView } from '../../../components/problem-view.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { type Forest, findInForest, listRows } from './forest.ts'
import classes from './group-tree.module.css'
import { GroupTree } from './group-tree.tsx'
import type { useTreeAddress } from './use-tree-address.ts'

type TreePanelProps = {
  forest: Forest | undefined
  error: unknown
  onRetry: () => unknown
  address: ReturnType<typeof useTreeAddress>
  chosenId: string | undefined
  onChoose: (id: string) => void
  className?: string | undefined
}

/** Both trees with a search. While somebody searches, the matches and the way to them are open. */
export function TreePanel({ forest, error, onRetry, address, chosenId, onChoose, className }: TreePanelProps) {
  const { groups, common } = useTexts()
  const shown = useMemo(
    () => (forest && address.search ? findInForest(forest, address.search) : undefined),
    [forest, address.search],
  )
  const rows = forest ? listRows(forest, address.isOpen, shown) : []
  return (
    <Paper withBorder component="section" aria-label={groups.trees} className={`${classes.panel} ${className ?? ''}`}>
      <SearchField
        label={groups.search}
        placeholder={groups.searchHint}
        value={address.search}
        onSearch={address.setSearch}
      />
      {error && !forest ? <ProblemView error={error} onRetry={onRetry} /> : null}
      {!forest && !error && <Loading height={160} />}
      {forest && rows.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {common.nothingFound}
        </Text>
      )}
      {rows.length > 0 && (
        <GroupTree label={groups.trees} rows={rows} chosenId={chosenId} onToggle={address.toggle} onChoose={onChoose} />
      )}
    </Paper>
  )
}
