-- | Many threads send to one, which counts and sums.
module Fanin (fanin) where

import Control.Concurrent (forkIO)
import Control.Concurrent.Chan (Chan, newChan, readChan, writeChan)
import Control.Concurrent.MVar (newEmptyMVar, putMVar, readMVar, takeMVar)
import Control.Monad (forM_, replicateM_)

import Measure

receive :: Chan Int -> Int -> IO Int
receive inbox = go 0
  where
    go :: Int -> Int -> IO Int
    go total 0 = pure total
    go total left = do
      i <- readChan inbox
      let total' = total + i
      total' `seq` go total' (left - 1)

runFanin :: Int -> Int -> IO Int
runFanin senders each = do
  inbox <- newChan
  begin <- newEmptyMVar
  ready <- gathering senders
  result <- newEmptyMVar
  replicateM_ senders . forkIO $ do
    arrive ready
    readMVar begin
    forM_ [0 .. each - 1] (\i -> writeChan inbox $! i)
  _ <- forkIO (receive inbox (senders * each) >>= putMVar result)
  complete ready
  start <- now
  putMVar begin ()
  total <- takeMVar result
  end <- now
  ensure "the sum" total (senders * (each * (each - 1) `div` 2))
  pure (end - start)

fanin :: Args -> IO Metrics
fanin args = do
  senders <- count "senders" 1000 args
  each <- count "messages" 1000 args
  (cold, warm) <- repeatedly (runFanin senders each)
  let messages = fromIntegral (senders * each)
  pure
    [ ("messages_per_second", messages * 1e9 / warm)
    , ("messages_per_second_cold", messages * 1e9 / cold)
    , ("messages", messages)
    ]
