-- | Two threads send a counter to and fro.
module Pingpong (pingpong) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)

import Measure

-- | Gives how many pings were answered by a pong of the same number.
ping :: MVar Int -> MVar Int -> Int -> IO Int
ping pings pongs rounds = go 0
  where
    go i
      | i == rounds = pure i
      | otherwise = do
          putMVar pings i
          answer <- takeMVar pongs
          if answer == i then go (i + 1) else pure i

pong :: MVar Int -> MVar Int -> Int -> IO Int
pong pings pongs counted = do
  i <- takeMVar pings
  if i < 0
    then pure counted
    else do
      putMVar pongs i
      pong pings pongs $! counted + 1

runPingpong :: Int -> IO Int
runPingpong rounds = do
  pings <- newEmptyMVar
  pongs <- newEmptyMVar
  answered <- newEmptyMVar
  returned <- newEmptyMVar
  _ <- forkIO (pong pings pongs 0 >>= putMVar answered)
  start <- now
  _ <- forkIO (ping pings pongs rounds >>= putMVar returned)
  back <- takeMVar returned
  end <- now
  putMVar pings (-1)
  there <- takeMVar answered
  ensure "pongs" back rounds
  ensure "pings" there rounds
  pure (end - start)

pingpong :: Args -> IO Metrics
pingpong args = do
  rounds <- count "rounds" 1000000 args
  (cold, warm) <- repeatedly (runPingpong rounds)
  pure
    [ ("ns_per_round", warm / fromIntegral rounds)
    , ("ns_per_round_cold", cold / fromIntegral rounds)
    , ("messages", fromIntegral (2 * rounds))
    ]
