// Package cache keeps values for a while, within a bound.
package cache

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrClosed is returned by every method of a cache that was closed.
var ErrClosed = errors.New("cache: closed")

// Loader finds the value of a key that is not there.
type Loader[K comparable, V any] func(ctx context.Context, key K) (V, error)

type entry[K comparable, V any] struct {
	key     K
	value   V
	expires time.Time
}

// Cache holds at most a number of values, the least recently used go first.
type Cache[K comparable, V any] struct {
	mu       sync.Mutex
	capacity int
	ttl      time.Duration
	order    *list.List
	byKey    map[K]*list.Element
	inFlight map[K]chan struct{}
	load     Loader[K, V]
	now      func() time.Time
	closed   bool
}

// New makes a cache. A capacity below one is an error of the caller, and panics.
func New[K comparable, V any](capacity int, ttl time.Duration, load Loader[K, V]) *Cache[K, V] {
	if capacity < 1 {
		panic(fmt.Sprintf("cache: capacity %d", capacity))
	}
	return &Cache[K, V]{
		capacity: capacity,
		ttl:      ttl,
		order:    list.New(),
		byKey:    make(map[K]*list.Element, capacity),
		inFlight: make(map[K]chan struct{}),
		load:     load,
		now:      time.Now,
	}
}

// Get returns the value of a key, loading it where it is missing or too old. Two callers that ask for
// the same key at the same time cause one load.
func (c *Cache[K, V]) Get(ctx context.Context, key K) (V, error) {
	var zero V
	for {
		c.mu.Lock()
		if c.closed {
			c.mu.Unlock()
			return zero, ErrClosed
		}
		if element, ok := c.byKey[key]; ok {
			found := element.Value.(*entry[K, V])
			if c.ttl <= 0 || c.now().Before(found.expires) {
				c.order.MoveToFront(element)
				c.mu.Unlock()
				return found.value, nil
			}
			c.remove(element)
		}
		wait, busy := c.inFlight[key]
		if !busy {
			break
		}
		c.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return zero, ctx.Err()
		}
	}
	done := make(chan struct{})
	c.inFlight[key] = done
	c.mu.Unlock()

	value, err := c.load(ctx, key)

	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.inFlight, key)
	close(done)
	if err != nil {
		return zero, fmt.Errorf("cache: load %v: %w", key, err)
	}
	c.put(key, value)
	return value, nil
}

func (c *Cache[K, V]) put(key K, value V) {
	c.byKey[key] = c.order.PushFront(&entry[K, V]{key: key, value: value, expires: c.now().Add(c.ttl)})
	for len(c.byKey) > c.capacity {
		c.remove(c.order.Back())
	}
}

func (c *Cache[K, V]) remove(element *list.Element) {
	c.order.Remove(element)
	delete(c.byKey, element.Value.(*entry[K, V]).key)
}
