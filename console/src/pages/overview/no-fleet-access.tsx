import { Anchor, List, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Section } from '../../components/section.tsx'
import { useAllowedPages } from '../../shell/navigation.tsx'
import { useTexts } from '../../texts/texts.tsx'

/** For somebody who may not read computers: what they may do instead. */
export function NoFleetAccess() {
  const texts = useTexts()
  const { noAccess } = texts.overview
  const pages = useAllowedPages().filter(({ to }) => to !== '/')
  return (
    <Section title={noAccess.title}>
      <Text size="sm" mb="sm">
        {noAccess.text}
      </Text>
      <List size="sm">
        {pages.map(({ to, title }) => (
          <List.Item key={to}>
            <Anchor component={Link} to={to} size="sm">
              {title(texts)}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
