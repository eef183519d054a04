import { List, Text } from '@mantine/core'

/** What a change adds or takes away, below a title. Nothing if there is no item. */
export function TitledList({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {items.map((item) => (
          <List.Item key={item} className="breakable">
            {item}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
