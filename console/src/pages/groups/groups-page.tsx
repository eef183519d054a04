import { Anchor, Breadcrumbs, EmptyState, Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { Page } from '../../components/page.tsx'
import { useLive } from '../../live/use-live.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { GroupActions } from './group-actions.tsx'
import { groupQuery, groupsKey, treeQuery } from './group-queries.ts'
import { GroupView } from './group-view.tsx'
import classes from './groups-page.module.css'
import { buildForest, type Forest, listAncestors } from './tree/forest.ts'
import { ForestContext } from './tree/forest-context.ts'
import { TreePanel } from './tree/tree-panel.tsx'
import { useTreeAddress } from './tree/use-tree-address.ts'

/** Both trees of groups, and the chosen group beside them. */
export function GroupsPage() {
  const { groups } = useTexts()
  const { compare } = useFormat()
  const { id, tab } = useParams()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(treeQuery)
  const forest = useMemo(() => data && buildForest(data, compare), [data, compare])
  const address = useTreeAddress(forest, id)
  const { data: chosen } = useQuery({ ...groupQuery(id ?? ''), enabled: id !== undefined })
  useLive({ types: ['muster.group.*'], refreshes: [groupsKey] })
  const choose = (groupId: string) =>
    void navigate(`/groups/${groupId}${tab ? `/${tab}` : ''}${address.query}`, { preventScrollReset: true })
  return (
    <ForestContext value={forest}>
      <Page
        identity="groups"
        title={(id && (chosen?.name ?? forest?.nodes.get(id)?.group.name)) || groups.title}
        intro={id ? forest && <Way forest={forest} id={id} query={address.query} /> : groups.intro}
        actions={id && <GroupActions key={id} id={id} />}
      >
        <div className={classes.columns}>
          <TreePanel
            className={classes.trees}
            forest={forest}
            error={error}
            onRetry={refetch}
            address={address}
            chosenId={id}
            onChoose={choose}
          />
          {id ? (
            <GroupView key={id} id={id} tab={tab} query={address.query} />
          ) : (
            <Paper withBorder>
              <EmptyState p="xl" title={groups.choose} description={groups.chooseHint} />
            </Paper>
          )}
        </div>
      </Page>
    </ForestContext>
  )
}

type WayProps = { forest: Forest; id: string; query: string }

/** Links to the groups above. */
function Way({ forest, id, query }: WayProps) {
  const { groups } = useTexts()
  const ancestors = listAncestors(forest, id)
  if (ancestors.length === 0) return <>{groups.root}</>
  return (
    <Breadcrumbs separator="/" separatorMargin={6} component="nav" aria-label={groups.way}>
      {ancestors.map((group) => (
        <Anchor key={group.id} component={Link} to={`/groups/${group.id}${query}`} size="sm">
          {group.name}
        </Anchor>
      ))}
    </Breadcrumbs>
  )
}
