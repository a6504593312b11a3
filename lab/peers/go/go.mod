module selvage.io/lab/peers

go 1.21
