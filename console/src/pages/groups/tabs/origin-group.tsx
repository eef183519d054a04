import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { PathText } from '../../../components/path-text.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import type { GroupPageData } from '../group-queries.ts'

type OriginGroupProps = {
  page: GroupPageData
  id: string
  path: string | undefined
  /** The part of the group that has it. */
  tab: 'assignments' | 'variables'
}

/** The group that something comes from: the shown one, or a link to another one. */
export function OriginGroup({ page, id, path, tab }: OriginGroupProps) {
  const { groups } = useTexts()
  if (id === page.id) return <Text size="sm">{groups.own}</Text>
  return (
    <Anchor component={Link} to={`/groups/${id}/${tab}`} size="sm">
      {path && <PathText path={path} />}
    </Anchor>
  )
}
